import { desc, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { MINUTE_MS } from '#contract/durations.ts';
import { LANGUAGES } from '#contract/language.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { firstOf, idRow, queryFirst } from '#worker/db/statements.ts';
import { emailMessages } from '#worker/db/tables/notices.ts';
import { users } from '#worker/db/tables/people.ts';
import { emailKey } from '#worker/identity/digests.ts';
import { recordSent } from '#worker/notices/deliver-notices.ts';
import type { Email } from './compose-email.ts';
import { LINK_LIFETIME_MS } from './prove-email.ts';

/** A sender that has reserved an e-mail and recorded no outcome for this long has probably crashed. */
export const LEASE_MS = MINUTE_MS;
const LISTED_EMAILS = 50;

const recipientRow = () => z.object({ id: z.string(), to: z.string(), origin: z.string() });
const linkRow = () => z.object({ ...recipientRow().shape, language: z.enum(LANGUAGES) });

/**
 * Reads a link that proves an e-mail address, and the link's recipient; undefined if the link was replaced or used, or
 * has expired.
 */
export async function findLink(db: Db, linkId: string, now: number) {
  const row = await queryFirst(db, linkRow)`
    select u.id, l.email as "to", l.origin, u.language
    from email_links l join users u on u.id = l.user_id
    where l.id = ${linkId} and u.closed_at is null and l.created_at > ${now - LINK_LIFETIME_MS}`;
  return row;
}

/** Reads the person and their proven address; undefined if they have no proven address, or the account is closed. */
export async function findRecipient(db: Db, userId: string) {
  const row = await queryFirst(db, recipientRow)`
    select id, email as "to", email_origin as origin from users
    where id = ${userId} and closed_at is null and email_proven_at is not null and email_origin is not null`;
  return row;
}

export type Message = {
  id: string;
  recipientId: string;
  email: Email;
  /** The notices in the e-mail. */
  noticeIds: string[];
};
type Claim = 'claimed' | 'finished' | 'being_sent';

/**
 * Reserves an e-mail for sending. If the sender crashes, the e-mail can be reserved again: it may be sent twice, but is
 * never lost.
 */
export async function claimMessage(db: Db, { id, recipientId, email }: Message, now: number): Promise<Claim> {
  const { claimed, message } = await batch(db, {
    claimed: queryFirst(db, idRow)`
      insert into email_messages (id, kind, recipient_id, status, attempts, created_at, updated_at)
      values (${id}, ${email.kind}, ${recipientId}, 'sending', 1, ${now}, ${now})
      on conflict (id) do update set status = 'sending', attempts = email_messages.attempts + 1, updated_at = ${now}
      where email_messages.status = 'waiting'
        or (email_messages.status = 'sending' and email_messages.updated_at <= ${now - LEASE_MS})
      returning id`,
    message: firstOf(db.select({ status: emailMessages.status }).from(emailMessages).where(eq(emailMessages.id, id))),
  });
  if (claimed) return 'claimed';
  return message?.status === 'sending' ? 'being_sent' : 'finished';
}

/**
 * Records that the e-mail and its notices were sent.
 * @param content the e-mail, which `listSent` later lists on a developer's machine; null elsewhere.
 */
export async function recordAccepted(
  db: Db,
  { id, noticeIds }: Message,
  content: Email | null,
  now: number,
): Promise<void> {
  const { html: _, ...listed } = content ?? { html: '' };
  await batch(db.repeatable, {
    updateEmailMessages: db
      .update(emailMessages)
      .set({ status: 'accepted', errorCode: null, content: content && (listed as Omit<Email, 'html'>), updatedAt: now })
      .where(eq(emailMessages.id, id)),
    recordSent: recordSent(db, 'email', noticeIds, now),
  });
}

/** Records that the e-mail was not sent: it waits for another attempt, or has failed finally. */
export async function recordUnsent(
  db: Db,
  id: string,
  { status, errorCode }: { status: 'waiting' | 'failed'; errorCode: string | null },
  now: number,
): Promise<void> {
  await db.repeatable.run(sql`
    update email_messages set status = ${status}, error_code = coalesce(${errorCode}, error_code), updated_at = ${now}
    where id = ${id} and status <> 'accepted'`);
}

/** Marks the address as unproven, so that we do not write to it until somebody proves it again. */
export async function forgetProof(db: Db, address: string): Promise<void> {
  await db.repeatable
    .update(users)
    .set({ emailProvenAt: null })
    .where(eq(users.emailKey, emailKey(address)));
}

/** Lists the e-mails that a development server has stored instead of sending, newest first. */
export async function listSent(db: Db, to: string | null) {
  const sentTo = sql`lower(${emailMessages.content} ->> 'to')`;
  return db
    .select({ content: emailMessages.content, createdAt: emailMessages.updatedAt })
    .from(emailMessages)
    .where(sql`${emailMessages.content} is not null and (${to} is null or ${sentTo} = lower(${to}))`)
    .orderBy(desc(emailMessages.updatedAt), desc(sql`rowid`))
    .limit(LISTED_EMAILS);
}
