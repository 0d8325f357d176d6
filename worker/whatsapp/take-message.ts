import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { localWhatsappMessageSchema } from '#contract/channels.ts';
import { HOUR_MS } from '#contract/durations.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { flag, idRow, queryFirst, queryRows, type RowOf } from '#worker/db/statements.ts';
import { whatsappDeadLetters } from '#worker/db/tables/notices.ts';
import type { Config } from '#worker/env.ts';
import { endOfDay } from '#worker/limits/limits.ts';
import { recordSent } from '#worker/notices/deliver-notices.ts';
import { wantsWhatsapp } from '#worker/notices/settings.ts';
import { startCode } from '#worker/recovery/reset-code.ts';
import { isOfTemplate, type SendFailure } from './failures.ts';
import { type Delivery, isCodeJob, isNumberCode, messageIdOf } from './queue-message.ts';
import { countRecipient, giveBackRecipient, isRecipient, keepRecipient } from './recipients.ts';

/**
 * How long a message about a decision on a community may wait. Later, its recipient has probably seen the decision in
 * the app.
 */
const DECISION_LIFETIME_MS = 24 * HOUR_MS;
/**
 * How long a notice may wait. If the day's limit of recipients is reached, the notice waits until the next quiet hours
 * end.
 */
const NOTICE_LIFETIME_MS = 36 * HOUR_MS;
/** How long an answer to a person's message may wait. After 24 hours Meta requires a template for the answer. */
const ANSWER_LIFETIME_MS = 23 * HOUR_MS;

export type Reservation =
  | { state: 'taken'; to: string; expiresAt: number }
  /** The message will not be sent. */
  | { state: 'dropped'; reason: 'replaced' | 'unknown_recipient' | 'expired' | 'taken_before' }
  /** Sending is paused until the time `until`. */
  | { state: 'paused'; until: number; expiresAt: number }
  /** The day's limit of recipients for this kind of message is reached. The limit resets at the time `until`. */
  | { state: 'no_room'; until: number; expiresAt: number };

const sourceRow = () =>
  z.object({
    recipient_id: z.nullable(z.string()),
    whatsapp_number: z.nullable(z.string()),
    expires_at: z.number(),
    /** Whether the message must still be sent: no delivery has reserved it, or its reservation was released. */
    is_unsent: flag(),
  });
type Source = RowOf<typeof sourceRow>;
const pauseRow = () => z.object({ until: z.nullable(z.number()) });

/**
 * Reserves a job's message, in one transaction. The queue may deliver a job several times: only the delivery that has
 * reserved the message may send it. If this delivery dies, the message stays reserved, because it may already have been
 * sent. Reserves nothing if the day's limit of recipients is reached.
 * @param queuedAt when the job was put on the queue.
 */
export async function takeMessage(
  db: Db,
  config: Config,
  { job, queuedAt }: Pick<Delivery, 'job' | 'queuedAt'>,
  now: number,
): Promise<Reservation> {
  const source = sql`
    select s.*, not exists (
      select 1 from ${recordOf(job)} where id = ${messageIdOf(job)} and status <> 'waiting') as is_unsent
    from (${sourceOf(job, queuedAt)}) s`;
  const isDue = sql`
    s.whatsapp_number is not null and s.expires_at > ${now} and s.is_unsent = 1
      and not exists (${pauseOf(job, now)})`;
  const recipient = sql`select s.whatsapp_number as number from (${source}) s where ${isDue}`;
  const toBeSent = sql`(${source}) s where ${isDue} and ${isRecipient(job.kind, sql`s.whatsapp_number`, now)}`;
  const take = isNumberCode(job.kind) ? takeNumberCode(job, toBeSent, now) : takeNew(job, toBeSent, now);
  const { taken, message, pause } = await batch(db, {
    startCode: job.kind === 'reset_code' ? startCode(db, job.requestId) : [],
    countRecipient: countRecipient(db, config, job, recipient, now),
    taken: queryFirst(db, idRow)`${take}`,
    message: queryFirst(db, sourceRow)`${source}`,
    pause: queryFirst(db, pauseRow)`${pauseOf(job, now)}`,
  });
  return toReservation(taken !== undefined, message, pause?.until ?? null, now);
}

/**
 * Reserves a message in `whatsapp_messages`.
 * @param toBeSent a `from` clause that selects the message as `s`, or nothing if the message cannot be sent now.
 */
function takeNew(job: WhatsappJob, toBeSent: SQL, now: number): SQL {
  return sql`
    insert into whatsapp_messages (id, kind, recipient_id, language, status, attempts, created_at, updated_at)
    select ${messageIdOf(job)}, ${job.kind}, s.recipient_id, ${job.language}, 'sending', 1, ${now}, ${now}
    from ${toBeSent}
    on conflict (id) do update set status = 'sending', attempts = whatsapp_messages.attempts + 1, updated_at = ${now}
    where whatsapp_messages.status = 'waiting'
    returning id`;
}

/** Reserves a verification code's message in `number_codes`, because `whatsapp_messages` requires an account. */
function takeNumberCode(job: WhatsappJob, toBeSent: SQL, now: number): SQL {
  return sql`
    update number_codes set status = 'sending', attempts = attempts + 1, updated_at = ${now}
    where id = ${messageIdOf(job)} and status = 'waiting' and exists (select 1 from ${toBeSent})
    returning id`;
}

function toReservation(
  isTaken: boolean,
  message: Source | undefined,
  pausedUntil: number | null,
  now: number,
): Reservation {
  if (!message) return { state: 'dropped', reason: 'replaced' };
  if (message.whatsapp_number === null) return { state: 'dropped', reason: 'unknown_recipient' };
  const expiresAt = message.expires_at;
  if (isTaken) return { state: 'taken', to: message.whatsapp_number, expiresAt };
  if (expiresAt <= now) return { state: 'dropped', reason: 'expired' };
  if (pausedUntil !== null) return { state: 'paused', until: pausedUntil, expiresAt };
  if (message.is_unsent === 1) return { state: 'no_room', until: endOfDay(now), expiresAt };
  return { state: 'dropped', reason: 'taken_before' };
}

function sourceOf(job: WhatsappJob, queuedAt: number): SQL {
  if (isCodeJob(job)) return isNumberCode(job.kind) ? fromNumberCode(job.requestId) : fromResetCode(job.requestId);
  if (job.kind === 'community_decision') return fromWillingRecipient(job.recipientId, queuedAt + DECISION_LIFETIME_MS);
  const userId = job.kind === 'match_notice' ? job.userId : job.recipientId;
  return fromProvenRecipient(
    userId,
    queuedAt + (job.kind === 'match_notice' ? NOTICE_LIFETIME_MS : ANSWER_LIFETIME_MS),
  );
}

/** Selects the phone number to which a verification code is sent. Selects nothing if the code was used or replaced. */
function fromNumberCode(id: string): SQL {
  return sql`
    select null as recipient_id, c.number as whatsapp_number,
      c.issued_at + ${RESET_CODE_LIFETIME_SECONDS * 1000} as expires_at
    from number_codes c where c.id = ${id} and c.used_by is null and not exists (
      select 1 from number_codes d where d.kind = c.kind and d.subject = c.subject and d.issued_at > c.issued_at)`;
}

/**
 * Selects the phone number to which a reset code (for a new password) is sent. Selects nothing if the code was used or
 * replaced.
 */
function fromResetCode(requestId: string): SQL {
  return sql`
    select r.user_id as recipient_id, n.number as whatsapp_number, r.issued_at + ${RESET_CODE_LIFETIME_SECONDS * 1000} as expires_at
    from reset_codes r left join phone_numbers n on n.user_id = r.user_id
    where r.request_id = ${requestId} and r.used_at is null`;
}

/** Selects the recipient. The number is null if the person sent STOP and has not switched WhatsApp on again. */
function fromWillingRecipient(userId: string, expiresAt: number): SQL {
  const hasStopped = sql`
    (exists (select 1 from whatsapp_words w where w.user_id = ${userId} and w.is_on = 0)
      and not ${wantsWhatsapp(sql`${userId}`)})`;
  return sql`
    select recipient_id, iif(${hasStopped}, null, whatsapp_number) as whatsapp_number, expires_at
    from (${fromProvenRecipient(userId, expiresAt)})`;
}

function fromProvenRecipient(userId: string, expiresAt: number): SQL {
  return sql`
    select u.id as recipient_id, n.number as whatsapp_number, ${expiresAt} as expires_at
    from users u left join phone_numbers n on n.user_id = u.id and n.proven_at is not null
    where u.id = ${userId} and u.closed_at is null`;
}

const LISTED_MESSAGES = 50;
const RELEASE_ATTEMPTS = 4;
const RELEASE_PAUSE_MS = 250;

export type Accepted = {
  language: Language;
  wamid: string | null;
  to: string;
  /** The ids of the notices that the message is about. */
  noticeIds: string[];
};

export async function recordAccepted(
  db: Db,
  job: WhatsappJob,
  { language, wamid, to, noticeIds }: Accepted,
  now: number,
): Promise<void> {
  await batch(db.repeatable, {
    updateMessage: db.run(sql`
      update ${recordOf(job)} set status = 'accepted', language = ${language}, wamid = ${wamid}, error_code = null,
        updated_at = ${now}
      where id = ${messageIdOf(job)}`),
    recordSent: recordSent(db, 'whatsapp', noticeIds, now),
    keepRecipient: keepRecipient(db, to, now),
  });
}

/** Returns the name of the table that contains the message's state. */
function recordOf({ kind }: { kind: string }): SQL {
  return sql.raw(isNumberCode(kind) ? 'number_codes' : 'whatsapp_messages');
}

/** Releases an unsent message for a later delivery. Retries on errors: a message that stays reserved is never sent. */
export async function releaseMessage(db: Db, job: WhatsappJob, errorCode: number | null, now: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await recordUnsent(db, job, { status: 'waiting', errorCode }, now);
      return;
    } catch (error) {
      if (attempt === RELEASE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * RELEASE_PAUSE_MS));
    }
  }
}

/** Records that the message was not sent and will never be sent. */
export async function recordFailed(db: Db, job: WhatsappJob, errorCode: number | null, now: number): Promise<void> {
  await recordUnsent(db.repeatable, job, { status: 'failed', errorCode }, now);
}

/**
 * Records that a message was not sent.
 * @param errorCode Meta's error code; null if it is unknown whether Meta has refused the message.
 */
async function recordUnsent(
  db: Handle,
  job: WhatsappJob,
  { status, errorCode }: { status: 'waiting' | 'failed'; errorCode: number | null },
  now: number,
): Promise<void> {
  await batch(db, {
    updateMessage: db.run(sql`
      update ${recordOf(job)} set status = ${status}, error_code = coalesce(${errorCode}, error_code), updated_at = ${now}
      where id = ${messageIdOf(job)}`),
    giveBackRecipient: errorCode === null ? {} : giveBackRecipient(db, job),
  });
}

/** Records a dead letter. Marks its message as failed, unless Meta has accepted the message. */
export async function recordDeadLetter(
  db: Db,
  letter: { id: string; kind: WhatsappJob['kind'] },
  now: number,
): Promise<void> {
  await batch(db.repeatable, {
    insertWhatsappDeadLetters: db
      .insert(whatsappDeadLetters)
      .values({ id: letter.id, kind: letter.kind, recordedAt: now })
      .onConflictDoNothing(),
    updateMessage: db.run(sql`
      update ${recordOf(letter)} set status = 'failed', updated_at = ${now}
      where id = ${letter.id} and status in ('waiting', 'sending')`),
  });
}

const acceptedMessageRow = () =>
  z.object({
    ...z.pick(localWhatsappMessageSchema, { kind: true, to: true, language: true }).shape,
    id: z.string(),
    createdAt: z.number(),
  });
type AcceptedMessage = RowOf<typeof acceptedMessageRow>;

/** Lists the messages that WhatsApp has accepted, newest first. */
export async function listAccepted(db: Db, to: string | null): Promise<AcceptedMessage[]> {
  return queryRows(db, acceptedMessageRow)`
    select id, kind, "to", language, createdAt from (
      select m.id, m.kind, n.number as "to", m.language, m.status, m.created_at as createdAt, m.rowid as seq
      from whatsapp_messages m join phone_numbers n on n.user_id = m.recipient_id
      union all
      select c.id, c.kind, c.number, c.language, c.status, c.issued_at, c.rowid from number_codes c)
    where status = 'accepted' and (${to} is null or "to" = ${to})
    order by createdAt desc, seq desc limit ${LISTED_MESSAGES}`;
}

/** The key of a pause of all messages. `channelOf` returns the key of a pause of the messages with one template. */
const CHANNEL = 'whatsapp';

/** Selects the time at which the pause of messages of the job's kind ends. Returns no row if they are not paused. */
function pauseOf(job: WhatsappJob, now: number): SQL {
  return sql`
    select max(until) as until from whatsapp_pauses
    where channel in (${CHANNEL}, ${channelOf(job)}) and until > ${now} having count(*) > 0`;
}

function channelOf(job: WhatsappJob): string {
  return `${CHANNEL}:${isCodeJob(job) ? 'code' : job.kind}`;
}

/**
 * Pauses all messages until the time `until`. If only one template has failed, pauses only the messages with this
 * template.
 */
export async function pauseSending(
  db: Db,
  job: WhatsappJob,
  { until, failure }: { until: number; failure: SendFailure },
): Promise<void> {
  const channel = isOfTemplate(failure) ? channelOf(job) : CHANNEL;
  await db.repeatable.run(sql`
    insert into whatsapp_pauses (channel, until, error_code) values (${channel}, ${until}, ${failure.code ?? 0})
    on conflict (channel) do update set until = max(until, excluded.until), error_code = excluded.error_code`);
}
