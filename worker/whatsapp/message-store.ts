import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Language } from '#contract/language.ts';
import { localWhatsappMessageSchema, type WhatsappJob } from '#contract/whatsapp.ts';
import type { Db, Handle } from '#worker/db/client.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';
import { recordTold } from '#worker/notices/index.ts';
import { isNumberCode, messageIdOf } from './job.ts';
import { giveBackRecipient, keepRecipient } from './recipients.ts';

const LISTED_MESSAGES = 50;
const RELEASE_ATTEMPTS = 4;
const RELEASE_PAUSE_MS = 250;

export type Accepted = {
  language: Language;
  wamid: string | null;
  to: string;
  /** The notices that the message was about. */
  noticeIds: string[];
};

/** Meta has the message. */
export async function recordAccepted(
  db: Db,
  job: WhatsappJob,
  { language, wamid, to, noticeIds }: Accepted,
  now: number,
): Promise<void> {
  await db.repeatable.batch([
    db.run(sql`
      update ${recordOf(job)} set status = 'accepted', language = ${language}, wamid = ${wamid}, error_code = null,
        updated_at = ${now}
      where id = ${messageIdOf(job)}`),
    recordTold(db, 'whatsapp', noticeIds, now),
    keepRecipient(db, to, now),
  ]);
}

/** The table with the message's state. */
export function recordOf({ kind }: { kind: string }): SQL {
  return sql.raw(isNumberCode(kind) ? 'number_codes' : 'whatsapp_messages');
}

/** The message was not sent, and a later delivery may take it. Retried, because an unreleased message is never sent. */
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

/** The message was not sent, and will not be. */
export async function recordFailed(db: Db, job: WhatsappJob, errorCode: number | null, now: number): Promise<void> {
  await recordUnsent(db.repeatable, job, { status: 'failed', errorCode }, now);
}

/** @param errorCode Meta's; null if we do not know that Meta has refused the message. */
async function recordUnsent(
  db: Handle,
  job: WhatsappJob,
  { status, errorCode }: { status: 'waiting' | 'failed'; errorCode: number | null },
  now: number,
): Promise<void> {
  await db.batch([
    db.run(sql`
      update ${recordOf(job)} set status = ${status}, error_code = coalesce(${errorCode}, error_code), updated_at = ${now}
      where id = ${messageIdOf(job)}`),
    ...(errorCode === null ? [] : giveBackRecipient(db, job)),
  ]);
}

/** Records a dead letter, and marks its message as failed if it was ever taken. */
export async function recordDeadLetter(
  db: Db,
  letter: { id: string; kind: WhatsappJob['kind'] },
  now: number,
): Promise<void> {
  await db.repeatable.batch([
    db.run(sql`
      insert into whatsapp_dead_letters (id, kind, recorded_at) values (${letter.id}, ${letter.kind}, ${now})
      on conflict (id) do nothing`),
    db.run(sql`
      update ${recordOf(letter)} set status = 'failed', updated_at = ${now}
      where id = ${letter.id} and status in ('waiting', 'sending')`),
  ]);
}

const acceptedMessageRow = () =>
  z.object({
    ...z.pick(localWhatsappMessageSchema, { kind: true, to: true, language: true }).shape,
    id: z.string(),
    createdAt: z.number(),
  });
type AcceptedMessage = RowOf<typeof acceptedMessageRow>;

/** The messages sent, newest first. */
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
