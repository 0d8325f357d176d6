import { REALTIME_TICKET_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { LiveMessage } from '#contract/live-messages.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a message waits for an acknowledgement, and how long its id is remembered so that it is not taken twice. */
export const MESSAGE_LIFETIME_MS = 30 * DAY_MS;

/** Whoever asked for a ticket before their session ended may come with it for so long, and a little for the way. */
const TICKET_LIFETIME_MS = (REALTIME_TICKET_LIFETIME_SECONDS + 5) * 1000;

/** The person's sessions, by their ids: those that go on, and those that have just ended. */
export type Sessions = { live: string[]; ended: string[] };

/** When each message was acknowledged, by its id. */
export type Acknowledged = Record<string, number>;

/** Below which version tokens are dead, and, of a person who is gone, when this may be forgotten as well. */
type Revocation = { token_version: number; erase_at: number | null };

/**
 * A user's messages, in the storage of their object. One that was acknowledged or withdrawn stays as a tombstone without
 * a body until it expires.
 */
export class Mailbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * A message that is here already and not acknowledged gets its new body: its post was corrected.
   * @returns the messages that were not here yet, which are the ones to send.
   */
  store(messages: LiveMessage[], now: number): LiveMessage[] {
    if (this.#readRevocation().erase_at !== null) return [];
    return messages.filter((message) => {
      const isNew = this.#sql.exec('SELECT 1 FROM messages WHERE id = ?', message.id).toArray().length === 0;
      this.#sql.exec(
        `INSERT INTO messages (id, body, stored_at) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE acknowledged_at IS NULL AND body <> excluded.body`,
        message.id,
        JSON.stringify(message),
        now,
      );
      return isNew;
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

  /** Those of the messages that no client has acknowledged, and that were not withdrawn. */
  listWaiting(ids: string[]): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM messages WHERE acknowledged_at IS NULL AND id IN (SELECT value FROM json_each(?))
         ORDER BY stored_at, rowid`,
        JSON.stringify(ids),
      )
      .toArray()
      .map((row) => row.id);
  }

  /**
   * A client has shown the message. An id that is not here is ignored, so that no client can fill the storage.
   * @returns whether it was here, and nobody had acknowledged it.
   */
  acknowledge(id: string, now: number): boolean {
    const acknowledged = this.#sql
      .exec(
        "UPDATE messages SET acknowledged_at = ?, body = '' WHERE id = ? AND acknowledged_at IS NULL RETURNING id",
        now,
        id,
      )
      .toArray();
    if (acknowledged.length === 0) return false;
    this.#sql.exec('INSERT INTO acknowledgements (message_id, acknowledged_at) VALUES (?, ?)', id, now);
    return true;
  }

  /** What was acknowledged, and when, as long as nobody outside knows it. */
  listAcknowledged(): Acknowledged {
    const rows = this.#sql
      .exec<{ message_id: string; acknowledged_at: number }>('SELECT message_id, acknowledged_at FROM acknowledgements')
      .toArray();
    return Object.fromEntries(rows.map((row) => [row.message_id, row.acknowledged_at]));
  }

  forgetAcknowledged(acknowledged: Acknowledged): void {
    this.#sql.exec(
      'DELETE FROM acknowledgements WHERE message_id IN (SELECT key FROM json_each(?))',
      JSON.stringify(acknowledged),
    );
  }

  /** Not to be sent any more, even when it is not here yet: its delivery may be on the way. */
  retract(ids: string[], now: number): void {
    if (this.#readRevocation().erase_at !== null) return;
    for (const id of ids) {
      this.#sql.exec(
        `INSERT INTO messages (id, body, stored_at, acknowledged_at) VALUES (?1, '', ?2, ?2)
         ON CONFLICT (id) DO UPDATE SET acknowledged_at = coalesce(acknowledged_at, ?2), body = ''`,
        id,
        now,
      );
    }
  }

  /** Drops what is too old. @returns when the next message expires, in milliseconds, or null. */
  expire(now: number): number | null {
    this.#sql.exec('DELETE FROM messages WHERE stored_at <= ?', now - MESSAGE_LIFETIME_MS);
    const [oldest] = this.#sql
      .exec<{ stored_at: number | null }>('SELECT min(stored_at) AS stored_at FROM messages')
      .toArray();
    return oldest?.stored_at == null ? null : oldest.stored_at + MESSAGE_LIFETIME_MS;
  }

  /** @returns false when the ticket was used before or speaks for a revoked token or a session that has ended. */
  redeemTicket(
    ticket: { id: string; expiresAt: number; tokenVersion: number; sessionId: string },
    now: number,
  ): boolean {
    if (ticket.tokenVersion < this.#readRevocation().token_version || ticket.expiresAt <= now) return false;
    if (this.#sql.exec('SELECT 1 FROM ended_sessions WHERE id = ?', ticket.sessionId).toArray().length > 0)
      return false;
    this.#sql.exec('DELETE FROM used_tickets WHERE expires_at <= ?', now);
    const used = this.#sql.exec(
      'INSERT INTO used_tickets (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING id',
      ticket.id,
      ticket.expiresAt,
    );
    return used.toArray().length > 0;
  }

  /** Tokens below this version are dead from now on; a lower one that comes late does not revive any. */
  revoke(tokenVersion: number): void {
    if (tokenVersion <= this.#readRevocation().token_version) return;
    this.#sql.exec('DELETE FROM revocation');
    this.#sql.exec('INSERT INTO revocation (token_version) VALUES (?)', tokenVersion);
  }

  /** No ticket of these sessions is taken from now on; who has none by then gets none any more. */
  endSessions(ids: string[], now: number): void {
    this.#sql.exec('DELETE FROM ended_sessions WHERE expires_at <= ?', now);
    for (const id of ids) {
      this.#sql.exec(
        'INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
        id,
        now + TICKET_LIFETIME_MS,
      );
    }
  }

  /** Nothing is here any more, nor taken, and no token is alive. @returns when the rest may go, too. */
  erase(now: number): number {
    const tables = this.#sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migrations' AND name NOT GLOB '_cf_*'",
      )
      .toArray();
    for (const { name } of tables) this.#sql.exec(`DELETE FROM "${name}"`);
    this.#sql.exec(
      'INSERT INTO revocation (token_version, erase_at) VALUES (?, ?)',
      Number.MAX_SAFE_INTEGER,
      now + TICKET_LIFETIME_MS,
    );
    return now + TICKET_LIFETIME_MS;
  }

  /** When what is left of an erased mailbox may go; null for one that is not erased. */
  eraseDueAt(): number | null {
    return this.#readRevocation().erase_at;
  }

  #readRevocation(): Revocation {
    const [row] = this.#sql.exec<Revocation>('SELECT token_version, erase_at FROM revocation').toArray();
    return row ?? { token_version: 0, erase_at: null };
  }
}
