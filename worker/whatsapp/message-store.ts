import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Language } from '#contract/language.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import { localWhatsappMessageSchema, type WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows, type RowOf } from '#worker/db/rows.ts';
import { messageIdOf } from './job.ts';
import { startCode } from './reset-code-store.ts';

/** Later than this the news of a community's decision is in the mailbox anyway. */
const DECISION_LIFETIME_MS = 24 * 60 * 60 * 1000;
const CHANNEL = 'whatsapp';
const LISTED_MESSAGES = 50;
const RELEASE_ATTEMPTS = 4;
const RELEASE_PAUSE_MS = 250;

export type Claim =
  | { state: 'claimed'; to: string; expiresAt: number }
  /** Nothing is to be sent, now or later. */
  | { state: 'dropped'; reason: 'replaced' | 'unknown_recipient' | 'expired' | 'claimed_before' }
  /** Sending is stopped for now. */
  | { state: 'paused'; until: number; expiresAt: number };

const sourceRow = () =>
  z.object({ recipient_id: z.nullable(z.string()), whatsapp_number: z.nullable(z.string()), expires_at: z.number() });
type Source = RowOf<typeof sourceRow>;
const pauseRow = () => z.object({ until: z.number() });

/**
 * Takes up a job's message, in one transaction: only who claims it may send it, so that of two deliveries one sends.
 * A claim whose sender died is never taken over: that the message went out cannot be ruled out.
 * @param queuedAt when the job was put on the queue.
 */
export async function claimMessage(db: Db, job: WhatsappJob, queuedAt: number, now: number): Promise<Claim> {
  const source = job.kind === 'reset_code' ? fromResetCode(job.requestId) : fromRecipient(job.recipientId, queuedAt);
  const [, [claimed], [message], [pause]] = await db.batch([
    job.kind === 'reset_code' ? startCode(db, job.requestId) : db.run(sql`select 1`),
    queryRows(db, idRow)`
      insert into whatsapp_messages (id, kind, recipient_id, language, status, attempts, created_at, updated_at)
      select ${messageIdOf(job)}, ${job.kind}, s.recipient_id, ${job.language}, 'sending', 1, ${now}, ${now}
      from (${source}) s
      where s.whatsapp_number is not null and s.expires_at > ${now}
        and not exists (select 1 from whatsapp_pauses where channel = ${CHANNEL} and until > ${now})
      on conflict (id) do update set status = 'sending', attempts = whatsapp_messages.attempts + 1, updated_at = ${now}
      where whatsapp_messages.status = 'waiting'
      returning id`,
    queryRows(db, sourceRow)`${source}`,
    queryRows(db, pauseRow)`select until from whatsapp_pauses where channel = ${CHANNEL} and until > ${now}`,
  ]);
  return toClaim(claimed !== undefined, message, pause?.until ?? null, now);
}

function toClaim(isClaimed: boolean, message: Source | undefined, pausedUntil: number | null, now: number): Claim {
  if (!message) return { state: 'dropped', reason: 'replaced' };
  if (message.whatsapp_number === null) return { state: 'dropped', reason: 'unknown_recipient' };
  const expiresAt = message.expires_at;
  if (isClaimed) return { state: 'claimed', to: message.whatsapp_number, expiresAt };
  if (expiresAt <= now) return { state: 'dropped', reason: 'expired' };
  if (pausedUntil !== null) return { state: 'paused', until: pausedUntil, expiresAt };
  return { state: 'dropped', reason: 'claimed_before' };
}

/** A code that was replaced by a newer one, or used, has no row. */
function fromResetCode(requestId: string): SQL {
  return sql`
    select r.user_id as recipient_id, u.whatsapp_number, r.issued_at + ${RESET_CODE_LIFETIME_SECONDS * 1000} as expires_at
    from reset_codes r left join users u on u.id = r.user_id
    where r.request_id = ${requestId} and r.used_at is null`;
}

function fromRecipient(userId: string, queuedAt: number): SQL {
  return sql`
    select u.id as recipient_id, u.whatsapp_number, ${queuedAt + DECISION_LIFETIME_MS} as expires_at
    from users u where u.id = ${userId}`;
}

/** Meta has the message. */
export async function recordAccepted(db: Db, id: string, language: Language, wamid: string | null, now: number) {
  await db.repeatable.run(sql`
    update whatsapp_messages set status = 'accepted', language = ${language}, wamid = ${wamid}, error_code = null,
      updated_at = ${now}
    where id = ${id}`);
}

/** The message was not sent; a later delivery may claim it again. Tried hard: unreleased it would never be sent. */
export async function releaseMessage(db: Db, id: string, errorCode: number | null, now: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.run(setUnsent(id, 'waiting', errorCode, now));
      return;
    } catch (error) {
      if (attempt === RELEASE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * RELEASE_PAUSE_MS));
    }
  }
}

/** The message was not sent and never will be. */
export async function recordFailed(db: Db, id: string, errorCode: number | null, now: number): Promise<void> {
  await db.repeatable.run(setUnsent(id, 'failed', errorCode, now));
}

function setUnsent(id: string, status: 'waiting' | 'failed', errorCode: number | null, now: number): SQL {
  return sql`
    update whatsapp_messages set status = ${status}, error_code = coalesce(${errorCode}, error_code), updated_at = ${now}
    where id = ${id}`;
}

/** Nothing more is sent until then. */
export async function pauseSending(db: Db, until: number, errorCode: number | null): Promise<void> {
  await db.repeatable.run(sql`
    insert into whatsapp_pauses (channel, until, error_code) values (${CHANNEL}, ${until}, ${errorCode ?? 0})
    on conflict (channel) do update set until = max(until, excluded.until), error_code = excluded.error_code`);
}

/** Keeps a note of a dead letter, and settles its message if it was ever taken up. */
export async function recordDeadLetter(db: Db, letter: { id: string; kind: string }, now: number): Promise<void> {
  await db.repeatable.batch([
    db.run(sql`
      insert into whatsapp_dead_letters (id, kind, recorded_at) values (${letter.id}, ${letter.kind}, ${now})
      on conflict (id) do nothing`),
    db.run(sql`
      update whatsapp_messages set status = 'failed', updated_at = ${now}
      where id = ${letter.id} and status in ('waiting', 'sending')`),
  ]);
}

const acceptedMessageRow = () =>
  z.object({
    ...z.pick(localWhatsappMessageSchema, { kind: true, to: true, language: true }).shape,
    id: z.string(),
    createdAt: z.number(),
  });
export type AcceptedMessage = RowOf<typeof acceptedMessageRow>;

/** The messages sent, newest first. */
export async function listAccepted(db: Db, to: string | null): Promise<AcceptedMessage[]> {
  return queryRows(db, acceptedMessageRow)`
    select m.id, m.kind, u.whatsapp_number as "to", m.language, m.created_at as createdAt
    from whatsapp_messages m join users u on u.id = m.recipient_id
    where m.status = 'accepted' and (${to} is null or u.whatsapp_number = ${to})
    order by m.created_at desc, m.rowid desc limit ${LISTED_MESSAGES}`;
}
