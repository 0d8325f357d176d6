import { CHANNELS, type NoticeEmailJob, type NoticeWhatsappJob, type OutgoingJob } from '#contract/notice-jobs.ts';
import { dayOf } from '#worker/limits/day.ts';
import type { Acknowledged, Mailbox } from './mailbox.ts';
import { decide, endOfQuiet, type Reach, type TellingRules, type Turn } from './telling.ts';
import type { ChannelTurns } from './turns.ts';

/** What the Worker does for the objects, which know neither the database nor the queues. */
export type Surroundings = {
  rules(): TellingRules;
  /** Called once for everything that is due; null when the person is gone. */
  readReach(userId: string, noticeIds: string[]): Promise<Reach | null>;
  queue(jobs: OutgoingJob[]): Promise<void>;
  /** May be called with the same again. */
  recordAcknowledged(acknowledged: Acknowledged): Promise<void>;
};

/** How many notices are decided on at a time. */
const MESSAGES_AT_ONCE = 100;
/** How many of the notices that were held together a job lists by id. */
const NAMED_MAX = 10;

type Telling = { userId: string; storage: DurableObjectStorage; turns: ChannelTurns; surroundings: Surroundings };

/**
 * Sends what is due. A turn's outcome and the job that sends it are stored in one transaction before anything is queued:
 * if the object dies after that, the next alarm queues the job (at least once).
 */
export async function tellDue({ userId, storage, turns, surroundings }: Telling, now: number): Promise<void> {
  await enqueueKept(turns, surroundings);
  const noticeIds = [...new Set(turns.listDue(now, MESSAGES_AT_ONCE).map((turn) => turn.messageId))];
  if (noticeIds.length === 0) return;
  const reach = await surroundings.readReach(userId, noticeIds);
  storage.transactionSync(() => {
    // Read again: some may have been acknowledged while the database was asked.
    const due = turns.listDue(now, MESSAGES_AT_ONCE).filter((turn) => noticeIds.includes(turn.messageId));
    if (reach === null) for (const turn of due) turns.finish(turn, 'absent');
    else decideAll({ due, userId, reach, turns, rules: surroundings.rules() }, now);
  });
  await enqueueKept(turns, surroundings);
}

/** Reports what clients have acknowledged, including meanwhile. If it is interrupted, the same is reported again. */
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

type Deciding = { due: Turn[]; userId: string; reach: Reach; turns: ChannelTurns; rules: TellingRules };

/** Notices that were held for the night go out as one message per channel; every other one as its own. */
function decideAll({ due, ...person }: Deciding, now: number): void {
  for (const channel of CHANNELS) {
    const held = due.filter((turn) => turn.isHeld && turn.channel === channel);
    decideTogether({ due: held, ...person }, now);
  }
  for (const turn of due) if (!turn.isHeld) decideTogether({ due: [turn], ...person }, now);
}

/** @param due turns of one channel: those that are to be sent go out as one message. */
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

/** @param waiting turns of one channel. */
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
