import type { LiveMessage } from '#worker/contract/live-messages.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a message waits for an acknowledgement, and how long its id is remembered so that it is not taken twice. */
export const MESSAGE_LIFETIME_MS = 30 * DAY_MS;

/** A user's messages, in the storage of their object. An acknowledged one stays as a tombstone until it expires. */
export class Mailbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** @returns the messages that were not here yet, which are the ones to send. */
  store(messages: LiveMessage[], now: number): LiveMessage[] {
    return messages.filter((message) => {
      const { rowsWritten } = this.#sql.exec(
        'INSERT INTO messages (id, body, stored_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
        message.id,
        JSON.stringify(message),
        now,
      );
      return rowsWritten > 0;
    });
  }

  /** What no client has acknowledged, oldest first, as it goes over the socket. */
  listUnacknowledged(now: number): string[] {
    return this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM messages WHERE acknowledged_at IS NULL AND stored_at > ? ORDER BY stored_at, rowid',
        now - MESSAGE_LIFETIME_MS,
      )
      .toArray()
      .map((row) => row.body);
  }

  acknowledge(id: string, now: number): void {
    this.#sql.exec('UPDATE messages SET acknowledged_at = ? WHERE id = ? AND acknowledged_at IS NULL', now, id);
  }

  /** Drops what is too old. @returns when the next message expires, in milliseconds, or null. */
  expire(now: number): number | null {
    this.#sql.exec('DELETE FROM messages WHERE stored_at <= ?', now - MESSAGE_LIFETIME_MS);
    const [oldest] = this.#sql
      .exec<{ stored_at: number | null }>('SELECT min(stored_at) AS stored_at FROM messages')
      .toArray();
    return oldest?.stored_at == null ? null : oldest.stored_at + MESSAGE_LIFETIME_MS;
  }

  /** @returns false when the ticket was used before or speaks for a revoked token. */
  redeemTicket(ticket: { id: string; expiresAt: number; tokenVersion: number }, now: number): boolean {
    const [revoked] = this.#sql.exec<{ token_version: number }>('SELECT token_version FROM revocation').toArray();
    if (revoked && ticket.tokenVersion < revoked.token_version) return false;
    this.#sql.exec('DELETE FROM used_tickets WHERE expires_at <= ?', now);
    const { rowsWritten } = this.#sql.exec(
      'INSERT INTO used_tickets (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
      ticket.id,
      ticket.expiresAt,
    );
    return rowsWritten > 0;
  }

  revoke(tokenVersion: number): void {
    this.#sql.exec('DELETE FROM revocation');
    this.#sql.exec('INSERT INTO revocation (token_version) VALUES (?)', tokenVersion);
  }
}
