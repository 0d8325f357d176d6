import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { NoticeEmailJob, NoticeWhatsappJob, OutgoingJob } from '#contract/jobs.ts';
import { LANGUAGES } from '#contract/language.ts';
import { decide, endOfQuiet, type Reach } from '#durable/channel-rules.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { isSwitchedOn } from '#worker/admin/switches.ts';
import { hasProvenEmail } from '#worker/conditions/people.ts';
import { isOpen } from '#worker/conditions/posts.ts';
import { batch, type Db, type Query } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryFirst, queryRows, type RowOf } from '#worker/db/statements.ts';
import type { Config, Env } from '#worker/env.ts';
import { isPhoneOrSim } from '#worker/matching/reading/read-kind.ts';
import { FROM_POSTS, STORED_COLUMNS, type StoredPost, storedPostRow } from '#worker/posts/post-columns.ts';
import { subscriptionIdsOf } from '#worker/push/subscriptions.ts';
import { readWaiting, type WaitingNotices } from './read-notices.ts';
import { selectSettings, toSettings } from './settings.ts';

type Context = { env: Env; db: Db; config: Config };

/** The decision about a message that may have waited in its queue for hours: send it, wait until a time, or drop it. */
export type SendDecision = { step: 'send'; about: WaitingNotices } | { step: 'hold'; until: number } | { step: 'drop' };

const DROP: SendDecision = { step: 'drop' };

/**
 * Applies the rules of `durable/channel-rules.ts` a second time, immediately before a message is sent. While the
 * message was in the queue, its notices may have been read, the person may have switched the channel off, or quiet
 * hours may have begun.
 */
export async function decideBeforeSending(
  { env, db, config }: Context,
  { kind, userId, noticeIds: asked, waiting }: NoticeWhatsappJob | NoticeEmailJob,
  now: number,
): Promise<SendDecision> {
  const channel = kind === 'notice' ? 'email' : 'whatsapp';
  const noticeIds = await getUserChannel(env, userId).listWaiting(asked);
  const reach = noticeIds.length === 0 ? null : await readReach(db, config, { userId, noticeIds });
  if (reach === null) return DROP;
  // The mailbox checked the due time and the daily limit before it queued the notices. `dueAt: now` and 0 messages sent
  // today make both checks pass here.
  const steps = noticeIds.map((messageId) => ({
    messageId,
    ...decide({ messageId, channel, dueAt: now, isHeld: false }, reach, config.channels, 0, now),
  }));
  if (steps.some(({ step }) => step === 'hold'))
    return { step: 'hold', until: endOfQuiet(reach.quietHours, now) ?? now };
  const due = steps.filter(({ step }) => step === 'send').map(({ messageId }) => messageId);
  if (due.length === 0) return DROP;
  const about = await readWaiting(db, { userId, noticeIds: due, waiting: waiting - asked.length + due.length });
  return about === null ? DROP : { step: 'send', about };
}

/** The most messages that a queue accepts in one batch. */
const JOBS_AT_ONCE = 100;

/**
 * Puts each job on its channel's queue. If one queue fails, the mailbox queues all jobs again, so some jobs may be
 * queued twice.
 */
export async function queueJobs(env: Env, jobs: OutgoingJob[]): Promise<void> {
  const queues = { push: env.PUSH_QUEUE, whatsapp: env.NOTICE_WHATSAPP_QUEUE, email: env.EMAIL_QUEUE };
  for (const [channel, own] of Map.groupBy(jobs, (job) => job.channel)) {
    const queue: Queue = queues[channel];
    for (let start = 0; start < own.length; start += JOBS_AT_ONCE) {
      await queue.sendBatch(
        own.slice(start, start + JOBS_AT_ONCE).map(({ job }) => ({ body: job, contentType: 'json' })),
      );
    }
  }
}

const personRow = () =>
  z.object({
    language: z.enum(LANGUAGES),
    number: z.nullable(z.string()),
    is_number_proven: flag(),
    is_email_proven: flag(),
    is_whatsapp_on: flag(),
    /** The ids of the person's push subscriptions, as a JSON array of strings. */
    subscription_ids: z.string(),
  });
/** How many of the person's newest posts about lost things are checked for a lost phone or SIM. */
const OWN_LOST_READ = 50;
type Person = RowOf<typeof personRow>;

/** Reads what a person's Durable Object must know before it sends these notices; null if the account is deleted. */
export async function readReach(
  db: Db,
  config: Config,
  { userId, noticeIds }: { userId: string; noticeIds: string[] },
): Promise<Reach | null> {
  const ids = sql`select value from json_each(${JSON.stringify(noticeIds)})`;
  const user = sql`${userId}`;
  const { person, settingsOfPerson, unread, ownLost } = await batch(db, {
    person: queryFirst(db, personRow)`
      select u.language, n.number, n.proven_at is not null as is_number_proven,
        ${hasProvenEmail(user)} as is_email_proven, ${isSwitchedOn('whatsapp_notices')} as is_whatsapp_on,
        ${subscriptionIdsOf(user)} as subscription_ids
      from users u left join phone_numbers n on n.user_id = u.id where u.id = ${userId}`,
    settingsOfPerson: selectSettings(db, userId),
    unread: queryRows(db, idRow)`
      select id from notices where recipient_id = ${userId} and read_at is null and id in (${ids})`,
    ownLost: selectOwnLost(db, userId),
  });
  if (!person) return null;
  const settings = toSettings(settingsOfPerson);
  return {
    language: person.language,
    ...findChannels(person, config),
    wants: { push: settings.push, whatsapp: settings.whatsapp, email: settings.email },
    quietHours: toQuietHours(settings),
    unread: new Set(idsOf(unread)),
    hasLostPhone: ownLost.some(isPhoneOrSim),
  };
}

/**
 * Whether the person has lost their own phone or SIM. If so, anyone who has the phone or SIM could read the messages to
 * the person's number.
 */
export async function hasLostPhone(db: Db, userId: string): Promise<boolean> {
  return (await selectOwnLost(db, userId)).some(isPhoneOrSim);
}

/** Statement: selects the newest open posts about things that the person has lost. */
function selectOwnLost(db: Db, userId: string): Query<StoredPost> {
  return queryRows(db, storedPostRow)`
    select ${STORED_COLUMNS} ${FROM_POSTS}
    where p.author_id = ${userId} and p.posted_by = 'owner' and p.on_behalf = 0 and ${isOpen('p')}
    order by p.seq desc limit ${OWN_LOST_READ}`;
}

function findChannels(person: Person, { push, whatsapp, email }: Config) {
  return {
    subscriptionIds: push.vapid === null ? [] : (JSON.parse(person.subscription_ids) as string[]),
    has: {
      whatsapp: whatsapp.matchTemplate !== null && person.is_whatsapp_on === 1 && person.is_number_proven === 1,
      email: email.isAvailable && person.is_email_proven === 1,
    },
  };
}

function toQuietHours({ quiet_from, quiet_to }: { quiet_from: string | null; quiet_to: string | null }) {
  return quiet_from === null || quiet_to === null ? null : { from: toMinutes(quiet_from), to: toMinutes(quiet_to) };
}

/** Returns the minutes since midnight. @param clock a time such as "21:00". */
function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
