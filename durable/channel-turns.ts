import {
  CHANNELS,
  type Channel,
  type NoticeEmailJob,
  type NoticeWhatsappJob,
  type OutgoingJob,
  type TurnOutcome,
} from '#contract/jobs.ts';
import { dayOf } from '#worker/limits/limits.ts';
import { type ChannelLimits, channelsFor, decide, endOfQuiet, type Reach, type Turn } from './channel-rules.ts';
import type { Acknowledged, Mailbox } from './mailbox.ts';

/** What the Durable Objects need from the database and the queues, which only the Worker can reach. */
export type Surroundings = {
  rules(): ChannelLimits;
  /** Reads the person's channels and settings for all due notices at once. Returns null if the account is deleted. */
  readReach(userId: string, noticeIds: string[]): Promise<Reach | null>;
  queue(jobs: OutgoingJob[]): Promise<void>;
  /** Must tolerate a repeated call: an object that dies during the call reports the same acknowledgements again. */
  recordAcknowledged(acknowledged: Acknowledged): Promise<void>;
};

/** How many due notices are fetched from storage and sent at a time. */
const MESSAGES_AT_ONCE = 100;
/**
 * A job lists at most this many notice ids. The message after quiet hours may be about more notices, so its job also
 * contains the number of notices (`waiting`).
 */
const NAMED_MAX = 10;

type Sending = { userId: string; storage: DurableObjectStorage; turns: ChannelTurns; surroundings: Surroundings };

/**
 * Sends the notices that are due. One transaction decides on the notices and stores the jobs that send them. The jobs
 * are queued afterwards. If the object dies in between, the next alarm queues the stored jobs, perhaps a second time.
 */
export async function sendDue({ userId, storage, turns, surroundings }: Sending, now: number): Promise<void> {
  await enqueueKept(turns, surroundings);
  const noticeIds = [...new Set(turns.listDue(now, MESSAGES_AT_ONCE).map((turn) => turn.messageId))];
  if (noticeIds.length === 0) return;
  const reach = await surroundings.readReach(userId, noticeIds);
  storage.transactionSync(() => {
    // The due turns are listed again, because clients may have acknowledged some notices during the call to the
    // database.
    const due = turns.listDue(now, MESSAGES_AT_ONCE).filter((turn) => noticeIds.includes(turn.messageId));
    if (reach === null) for (const turn of due) turns.finish(turn, 'absent');
    else decideAll({ due, userId, reach, turns, rules: surroundings.rules() }, now);
  });
  await enqueueKept(turns, surroundings);
}

/** Reports all acknowledgements to the database, even those that arrive during the report. Can be repeated safely. */
export async function reportAcknowledged(mailbox: Mailbox, surroundings: Surroundings): Promise<void> {
  for (;;) {
    const acknowledged = mailbox.listAcknowledged();
    if (Object.keys(acknowledged).length === 0) return;
    await surroundings.recordAcknowledged(acknowledged);
    mailbox.forgetAcknowledged(acknowledged);
  }
}

async function enqueueKept(turns: ChannelTurns, surroundings: Surroundings): Promise<void> {
  const kept = turns.listKept();
  if (kept.length === 0) return;
  await surroundings.queue(kept.map(({ seq: _, ...job }) => job as OutgoingJob));
  turns.forget(kept.map(({ seq }) => seq));
}

type Deciding = { due: Turn[]; userId: string; reach: Reach; turns: ChannelTurns; rules: ChannelLimits };

/** Notices that were held during quiet hours are sent as one message per channel, all other notices separately. */
function decideAll({ due, ...person }: Deciding, now: number): void {
  for (const channel of CHANNELS) {
    const held = due.filter((turn) => turn.isHeld && turn.channel === channel);
    decideTogether({ due: held, ...person }, now);
  }
  for (const turn of due) if (!turn.isHeld) decideTogether({ due: [turn], ...person }, now);
}

/** Decides what to do with notices that are due on one channel. Combines the notices to send now into one message. */
function decideTogether({ due, userId, reach, turns, rules }: Deciding, now: number): void {
  const day = dayOf(now);
  const decided = due.map((turn) => ({
    turn,
    ...decide(turn, reach, rules, turns.countSent(turn.channel, day), now),
  }));
  for (const { turn, step, state } of decided) {
    if (step === 'hold') turns.hold(turn, endOfQuiet(reach.quietHours, now) ?? now);
    else if (step !== 'wait') turns.finish(turn, state);
  }
  const sending = decided.filter(({ step }) => step === 'send' || step === 'send_silently');
  const isSilent = sending.some(({ step }) => step === 'send_silently');
  for (const job of toJobs(
    sending.map(({ turn }) => turn),
    { userId, reach, isSilent },
  ))
    turns.keep(job, day);
}

/** Makes the jobs for one message about all notices in `waiting`, which are due on the same channel. */
function toJobs(
  waiting: Turn[],
  { userId, reach, isSilent }: { userId: string; reach: Reach; isSilent: boolean },
): OutgoingJob[] {
  const [first] = waiting;
  if (!first) return [];
  const { channel, messageId } = first;
  if (channel === 'push') {
    return reach.subscriptionIds.map((subscriptionId) => ({
      channel,
      job: { kind: 'push', userId, noticeId: messageId, subscriptionId, isSilent },
    }));
  }
  const noticeIds = waiting.slice(0, NAMED_MAX).map((turn) => turn.messageId);
  const job = { messageId, userId, noticeIds, waiting: waiting.length, language: reach.language };
  return channel === 'whatsapp'
    ? [{ channel, job: { kind: 'match_notice', ...job } satisfies NoticeWhatsappJob }]
    : [{ channel, job: { kind: 'notice', ...job } satisfies NoticeEmailJob }];
}

/**
 * The turns of all notices, in the storage of the person's Durable Object. A turn is the time at which a notice is due
 * on a channel; it is pending until it has a final outcome. Jobs stay in an outbox until their queue has accepted them.
 */
export class ChannelTurns {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(
    messages: { id: string; type: Parameters<typeof channelsFor>[0] }[],
    { afterMs }: ChannelLimits,
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

  /**
   * Returns all pending turns, even those due later, of each message that has at least one due turn. The oldest
   * messages come first.
   * @param messagesMax the most messages whose turns are returned.
   */
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

  /** Returns the time at which the next turn is due, in milliseconds since 1970; null if no turn is left. */
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

  /** Makes held turns due now, so that changed quiet hours apply to them. */
  release(now: number): void {
    this.#sql.exec('UPDATE turns SET due_at = ? WHERE outcome IS NULL AND is_held = 1', now);
  }

  countSent(channel: Channel, day: number): number {
    const [row] = this.#sql
      .exec<{ count: number }>('SELECT count FROM sent WHERE channel = ? AND day = ?', channel, day)
      .toArray();
    return row?.count ?? 0;
  }

  /** Stores the job until its queue has accepted it, and counts it towards the channel's limit of the day. */
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

  expire(): void {
    this.#sql.exec('DELETE FROM turns WHERE message_id NOT IN (SELECT id FROM messages)');
  }
}
