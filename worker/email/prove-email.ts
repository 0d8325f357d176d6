import { eq, type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/durations.ts';
import type { EmailJob } from '#contract/jobs.ts';
import { EMAIL_LINK_LIFETIME_HOURS } from '#contract/limits.ts';
import { assertCurrentPassword } from '#worker/accounts/sign-in.ts';
import { batch, type Db, violatedUniqueColumn, writeAs } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/statements.ts';
import { emailLinks } from '#worker/db/tables/people.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { type AppContext, readAppOrigin } from '#worker/http/context.ts';
import { emailKey, fingerprint, newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, assertWithin, countIf, countOne, isWithin } from '#worker/limits/allowance.ts';
import { assertNotBarred, barOf, selectBars } from '#worker/limits/bars.ts';

const RETRY_SECONDS = 5;

export type FirstLink = { link: NewLink; toAddress: Allowance };

/**
 * Makes the first link that proves a new account's e-mail address; null if we cannot send e-mails. The person can
 * request a link later.
 */
export function newFirstLink(c: AppContext, user: { id: string; email: string }): FirstLink | null {
  if (!c.var.config.email.isAvailable) return null;
  return { link: newLink(c, user.id, user.email), toAddress: allowanceTo(c, user.email) };
}

/**
 * Queues the e-mail with the first link. If `insertFirstLink` has not stored the link because of a limit, the queue's
 * consumer finds no link and sends nothing.
 */
export function queueFirstLink(env: Env, { link }: FirstLink): Promise<void> {
  return queueEmail(env, { kind: 'confirm_email', linkId: link.id });
}

/**
 * Sends a link to the account's new e-mail address. The old address stays until the link is opened.
 * @throws AppError suspended for a barred e-mail address, and what `assertCurrentPassword` and `sendLink` throw.
 */
export async function changeEmail(
  c: AppContext,
  viewer: Viewer,
  { email, current_password }: { email: string; current_password: string },
): Promise<void> {
  await assertCurrentPassword(c, viewer, current_password);
  assertNotBarred(await selectBars(c.var.db, [barOf(c.var.config, 'email', emailKey(email))], Date.now()));
  await sendLink(c, viewer, email);
}

/**
 * Queues the e-mail with the link before the response, so that the response can report a failure. If the e-mail address
 * belongs to another account, sends nothing, but the response is the same.
 * @throws AppError unauthorized, too_many_requests, or unavailable if the queue does not accept the link.
 */
async function sendLink(c: AppContext, viewer: Viewer, email: string): Promise<void> {
  const { config, db } = c.var;
  if (!config.email.isAvailable) return;
  const now = Date.now();
  const link = newLink(c, viewer.userId, email);
  const byAccount = allowanceOf(config, 'email_link', viewer.userId);
  const toAddress = allowanceTo(c, email);
  const { ofAccount, ofAddress, isMade } = await insertLink(db, viewer, { link, byAccount, toAddress }, now);
  assertWithin(byAccount, ofAccount, now);
  assertWithin(toAddress, ofAddress, now);
  if (!isMade) return;
  try {
    await queueEmail(c.env, { kind: 'confirm_email', linkId: link.id });
  } catch (error) {
    log.error('email_not_queued', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}

function newLink(c: AppContext, userId: string, email: string): NewLink {
  const { code } = c.var.config.keys;
  const id = newId();
  return { id, userId, email, tokenDigest: digestToken(code, toToken(code, id)), origin: readAppOrigin(c) };
}

function allowanceTo(c: AppContext, email: string) {
  return allowanceOf(c.var.config, 'email_link_address', emailKey(email));
}

type NewLink = { id: string; userId: string; email: string; tokenDigest: string; origin: string };

/**
 * Returns statements for the batch that creates an account. They store the account's first e-mail link, if the account
 * was created and the limit allows the link.
 */
export function insertFirstLink(db: Db, { link, toAddress }: FirstLink, now: number) {
  const isMade = sql`exists (select 1 from users where id = ${link.userId})`;
  return {
    count: countIf(db, toAddress, isMade, now),
    upsertLink: upsertLink(db, link, sql`${isMade} and ${isWithin(toAddress, now)}`, now),
  };
}

/**
 * Counts the request and, if both limits allow it, stores its link, which replaces the previous link. An e-mail address
 * that belongs to another account gets no link.
 */
async function insertLink(
  db: Db,
  viewer: Viewer,
  { link, byAccount, toAddress }: { link: NewLink; byAccount: Allowance; toAddress: Allowance },
  now: number,
) {
  const isFree = sql`not exists (
    select 1 from users where email_key = ${emailKey(link.email)} and id <> ${link.userId})`;
  const { ofAccount, ofAddress, made } = await writeAs(db, viewer, {
    ofAccount: countOne(db, byAccount, now),
    ofAddress: countOne(db, toAddress, now),
    made: upsertLink(db, link, sql`${isFree} and ${isWithin(byAccount, now)} and ${isWithin(toAddress, now)}`, now),
  });
  return { ofAccount, ofAddress, isMade: made.length > 0 };
}

function upsertLink(db: Db, { id, userId, email, tokenDigest, origin }: NewLink, condition: SQL, now: number) {
  return queryRows(db, idRow)`
    insert into email_links (user_id, id, email, email_key, token_digest, origin, created_at)
    select ${userId}, ${id}, ${email}, ${emailKey(email)}, ${tokenDigest}, ${origin}, ${now} where ${condition}
    on conflict (user_id) do update set id = excluded.id, email = excluded.email, email_key = excluded.email_key,
      token_digest = excluded.token_digest, origin = excluded.origin, created_at = excluded.created_at
    returning id`;
}

/**
 * Sets the account's e-mail address to the one that the link proves, and uses up the link.
 * @returns whether the link was valid.
 */
export async function redeemLink(db: Db, tokenDigest: string, now: number): Promise<boolean> {
  try {
    const { proven } = await batch(db, {
      proven: queryRows(db, idRow)`
        update users set email = l.email, email_key = l.email_key, email_proven_at = ${now}, email_origin = l.origin
        from email_links l
        where l.user_id = users.id and users.closed_at is null and l.token_digest = ${tokenDigest} and l.created_at > ${now - LINK_LIFETIME_MS}
        returning users.id as id`,
      deleteEmailLinks: db.delete(emailLinks).where(eq(emailLinks.tokenDigest, tokenDigest)),
    });
    return proven.length > 0;
  } catch (error) {
    // Another person has registered with the address since the link was sent.
    if (violatedUniqueColumn(error) === 'users.email_key') return false;
    throw error;
  }
}

export const LINK_LIFETIME_MS = EMAIL_LINK_LIFETIME_HOURS * HOUR_MS;

/**
 * Derives a link's token from its random id and the Worker's secret. The token is derived again when the e-mail is
 * sent, so that nobody who reads the database, the queue or the dead letters can use the link.
 */
export function toToken(secret: string, linkId: string): string {
  return fingerprint(secret, 'email-link', linkId);
}

/** Returns the digest by which the database finds a link. */
export function digestToken(secret: string, token: string): string {
  return fingerprint(secret, 'email-link-digest', token);
}

/** Queues an e-mail. Await this: before the queue has accepted the job, a crash would lose the e-mail. */
async function queueEmail({ EMAIL_QUEUE }: Pick<Env, 'EMAIL_QUEUE'>, job: EmailJob): Promise<void> {
  await EMAIL_QUEUE.send(job, { contentType: 'json' });
}
