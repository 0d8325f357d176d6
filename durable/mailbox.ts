import { DAY_MS } from '#contract/durations.ts';
import { REALTIME_TICKET_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { LiveMessage } from '#contract/live-messages.ts';

/**
 * How long a message waits for an acknowledgement. During this time, a second delivery with the same id does not send
 * the message again.
 */
export const MESSAGE_LIFETIME_MS = 30 * DAY_MS;

/**
 * The lifetime of a ticket for a WebSocket, plus time until the ticket arrives. The ids of ended sessions are stored
 * for this long.
 */
const TICKET_LIFETIME_MS = (REALTIME_TICKET_LIFETIME_SECONDS + 5) * 1000;

/** Maps a message's id to the time of its acknowledgement. */
export type Acknowledged = Record<string, number>;

/**
 * A user's messages, in the storage of the user's Durable Object. An acknowledged or retracted message stays as a
 * tombstone without a body until it expires.
 */
export class Mailbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Stores messages. A stored message that is not acknowledged gets the new body, because its post may have been
   * edited.
   * @returns the messages that were not stored before, which must be sent.
   */
  store(messages: LiveMessage[], now: number): LiveMessage[] {
    if (this.eraseDueAt() !== null) return [];
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

  /** Returns the unacknowledged messages, oldest first, as they are sent over the socket. */
  listUnacknowledged(now: number): string[] {
    return this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM messages WHERE acknowledged_at IS NULL AND stored_at > ? ORDER BY stored_at, rowid',
        now - MESSAGE_LIFETIME_MS,
      )
      .toArray()
      .map((row) => row.body);
  }

  /** Returns which of the messages were neither acknowledged nor retracted. */
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
   * Records that a client has shown the message. Ignores unknown ids, so that no client can fill the storage.
   * @returns whether the message was stored and had not been acknowledged.
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

  /** Returns the acknowledgements that have not been reported to the database yet. */
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

  /** Retracts messages. If a message is not stored yet, the mailbox will ignore its delivery. */
  retract(ids: string[], now: number): void {
    if (this.eraseDueAt() !== null) return;
    for (const id of ids) {
      this.#sql.exec(
        `INSERT INTO messages (id, body, stored_at, acknowledged_at) VALUES (?1, '', ?2, ?2)
         ON CONFLICT (id) DO UPDATE SET acknowledged_at = coalesce(acknowledged_at, ?2), body = ''`,
        id,
        now,
      );
    }
  }

  /** Deletes expired messages. @returns the Unix time in milliseconds at which the next message expires, or null. */
  expire(now: number): number | null {
    this.#sql.exec('DELETE FROM messages WHERE stored_at <= ?', now - MESSAGE_LIFETIME_MS);
    const [oldest] = this.#sql
      .exec<{ stored_at: number | null }>('SELECT min(stored_at) AS stored_at FROM messages')
      .toArray();
    return oldest?.stored_at == null ? null : oldest.stored_at + MESSAGE_LIFETIME_MS;
  }

  /**
   * Uses up a ticket for a WebSocket.
   * @returns false if the ticket was used before or has expired, its session has ended, or the account is erased.
   */
  redeemTicket(ticket: { id: string; expiresAt: number; sessionId: string }, now: number): boolean {
    if (this.eraseDueAt() !== null || ticket.expiresAt <= now) return false;
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

  /**
   * Refuses the tickets of these sessions until the tickets have expired. This time is long enough, because an ended
   * session gets no new tickets.
   */
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

  /**
   * Deletes all data except a record of the erasure, which makes the mailbox refuse messages and tickets.
   * @returns when the record may be deleted.
   */
  erase(now: number): number {
    const tables = this.#sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migrations' AND name NOT GLOB '_cf_*'",
      )
      .toArray();
    for (const { name } of tables) this.#sql.exec(`DELETE FROM "${name}"`);
    this.#sql.exec('INSERT INTO erasure (erase_at) VALUES (?)', now + TICKET_LIFETIME_MS);
    return now + TICKET_LIFETIME_MS;
  }

  /** Returns when the record of the erasure may be deleted; null if the mailbox is not erased. */
  eraseDueAt(): number | null {
    const [row] = this.#sql.exec<{ erase_at: number }>('SELECT erase_at FROM erasure').toArray();
    return row?.erase_at ?? null;
  }
}
