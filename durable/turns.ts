import type { Channel, OutgoingJob, TurnOutcome } from '#contract/notice-jobs.ts';
import { channelsFor, type TellingRules, type Turn } from './telling.ts';

/**
 * Each notice's turn on each channel, in the storage of the person's object. A turn is pending until it has an outcome,
 * which is final. Jobs are kept in an outbox here, written in the same transaction, until their queue has accepted them.
 */
export class ChannelTurns {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** @param messages the new ones. */
  add(
    messages: { id: string; type: Parameters<typeof channelsFor>[0] }[],
    { afterMs }: TellingRules,
    now: number,
  ): void {
    for (const { id, type } of messages) {
      for (const channel of channelsFor(type)) {
        this.#sql.exec(
          'INSERT INTO turns (message_id, channel, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          id,
          channel,
          now + afterMs[channel],
        );
      }
    }
  }

  /** Ends the pending turns of messages that were acknowledged, read or retracted. */
  end(messageIds: string[]): void {
    const ids = JSON.stringify(messageIds);
    this.#sql.exec(
      `UPDATE turns SET outcome = 'ended' WHERE outcome IS NULL AND message_id IN (SELECT value FROM json_each(?))`,
      ids,
    );
  }

  /** All pending turns of messages that have one due, oldest messages first. @param messagesMax how many messages. */
  listDue(now: number, messagesMax: number): Turn[] {
    return this.#sql
      .exec<{ message_id: string; channel: Channel; due_at: number; is_held: number }>(
        `SELECT t.message_id, t.channel, t.due_at, t.is_held FROM turns t JOIN messages m ON m.id = t.message_id
         WHERE t.outcome IS NULL AND t.message_id IN (
           SELECT message_id FROM turns WHERE outcome IS NULL AND due_at <= ?
           GROUP BY message_id ORDER BY min(due_at) LIMIT ?)
         ORDER BY m.stored_at, m.rowid, t.rowid`,
        now,
        messagesMax,
      )
      .toArray()
      .map((row) => ({
        messageId: row.message_id,
        channel: row.channel,
        dueAt: row.due_at,
        isHeld: row.is_held === 1,
      }));
  }

  /** When the next turn is due, in milliseconds; null when there is none. */
  nextAt(): number | null {
    const [row] = this.#sql
      .exec<{ due_at: number | null }>('SELECT min(due_at) AS due_at FROM turns WHERE outcome IS NULL')
      .toArray();
    return row?.due_at ?? null;
  }

  finish({ messageId, channel }: Turn, outcome: TurnOutcome): void {
    this.#sql.exec('UPDATE turns SET outcome = ? WHERE message_id = ? AND channel = ?', outcome, messageId, channel);
  }

  hold({ messageId, channel }: Turn, until: number): void {
    this.#sql.exec(
      'UPDATE turns SET is_held = 1, due_at = ? WHERE message_id = ? AND channel = ?',
      until,
      messageId,
      channel,
    );
  }

  /** Decides held turns again now, as the quiet hours may have changed. */
  release(now: number): void {
    this.#sql.exec('UPDATE turns SET due_at = ? WHERE outcome IS NULL AND is_held = 1', now);
  }

  countSent(channel: Channel, day: number): number {
    const [row] = this.#sql
      .exec<{ count: number }>('SELECT count FROM sent WHERE channel = ? AND day = ?', channel, day)
      .toArray();
    return row?.count ?? 0;
  }

  /** Keeps the job until its queue has accepted it, and counts it for the day. */
  keep({ channel, job }: OutgoingJob, day: number): void {
    this.#sql.exec('INSERT INTO outbox (channel, job) VALUES (?, ?)', channel, JSON.stringify(job));
    this.#sql.exec('DELETE FROM sent WHERE day < ?', day);
    this.#sql.exec(
      `INSERT INTO sent (channel, day, count) VALUES (?, ?, 1)
       ON CONFLICT (channel, day) DO UPDATE SET count = count + 1`,
      channel,
      day,
    );
  }

  listKept(): (OutgoingJob & { seq: number })[] {
    return this.#sql
      .exec<{ seq: number; channel: Channel; job: string }>('SELECT seq, channel, job FROM outbox ORDER BY seq')
      .toArray()
      .map(({ seq, channel, job }) => ({ seq, channel, job: JSON.parse(job) }) as OutgoingJob & { seq: number });
  }

  forget(seqs: number[]): void {
    this.#sql.exec('DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(seqs));
  }

  /** Deletes the turns of deleted messages. */
  expire(): void {
    this.#sql.exec('DELETE FROM turns WHERE message_id NOT IN (SELECT id FROM messages)');
  }
}
