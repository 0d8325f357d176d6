import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { BARRED_MONTHS } from '#contract/limits.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { MESSAGE_LIFETIME_MS } from '#durable/mailbox.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { idRow, idsOf, nextTry, queryFirst, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { claims } from '#worker/db/tables/claims.ts';
import { erasures } from '#worker/db/tables/people.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { noteErased } from '#worker/exports/erased.ts';
import { bar, barOf } from '#worker/limits/bars.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { deleteLeftovers } from '#worker/photos/objects.ts';
import { eraseRows } from './erase-person.ts';

const ERASURES_PER_SWEEP = 20;

/**
 * Erases a closed account. Before the time of erasure, erases only its mailbox. Every step is repeatable, so an
 * interrupted erasure begins again at the first step. The person's row in `erasures` is the last to be deleted.
 */
export async function erase(env: Env, db: Db, erasure: Erasure, now: number): Promise<void> {
  const { user_id: userId, erase_at: eraseAt } = erasure;
  await getUserChannel(env, userId).erase();
  if (eraseAt > now) return putOff(db, erasure);
  await retractNotices(env, db, userId);
  await forgetTitles(db, userId);
  await renewClaimNews(env, db, userId);
  await barIfSuspended(env, db, userId, now);
  await noteErased(db, userId, now);
  await eraseRows(db, userId);
  await deleteLeftovers(env, db, now);
}

/**
 * Continues interrupted erasures and begins those whose waiting time has ended. The scheduled sweep calls this every
 * minute.
 */
export async function finishErasing(env: Env, db: Db, now: number): Promise<void> {
  for (const erasure of await claimErasures(db, now)) {
    try {
      await erase(env, db, erasure, now);
    } catch (error) {
      // A failed erasure does not stop the others, and is retried later.
      log.warn('erasure_failed', { name: errorName(error) });
    }
  }
}

/** Prevents a suspended person from registering again with the same e-mail address or phone number. */
async function barIfSuspended(env: Env, db: Db, userId: string, now: number): Promise<void> {
  const person = await findSuspended(db, userId);
  if (!person) return;
  const config = readConfig(env);
  const number = person.number === null ? [] : [barOf(config, 'number', person.number)];
  const endsAt = new Date(now);
  endsAt.setUTCMonth(endsAt.getUTCMonth() + BARRED_MONTHS);
  await bar(db, [barOf(config, 'email', person.email_key), ...number], endsAt.getTime());
}

export const erasureRow = rowOf(erasures, 'user_id', 'erase_at');
/** A closed account and its time of erasure. */
type Erasure = RowOf<typeof erasureRow>;

/** Reserves due erasures. Schedules the next try of each, in case the current try is interrupted. */
function claimErasures(db: Db, now: number): Promise<Erasure[]> {
  return queryRows(db, erasureRow)`
    update erasures set failures = failures + 1, due_at = ${nextTry(now, 'failures')}
    where user_id in (select user_id from erasures where due_at <= ${now} order by due_at limit ${ERASURES_PER_SWEEP})
    returning user_id, erase_at`;
}

/** Postpones the erasure until `erase_at`. Until then the account is closed, and only its mailbox is erased. */
async function putOff(db: Db, { user_id, erase_at }: Erasure): Promise<void> {
  await db.repeatable.update(erasures).set({ dueAt: erase_at, failures: 0 }).where(eq(erasures.userId, user_id));
}

const suspendedRow = () => z.object({ email_key: z.string(), number: z.nullable(z.string()) });

/** Reads the e-mail address and phone number of a suspended person; undefined if they are not suspended. */
async function findSuspended(db: Db, userId: string) {
  const row = await queryFirst(db, suspendedRow)`
    select u.email_key, n.number from users u left join phone_numbers n on n.user_id = u.id
    where u.id = ${userId} and u.suspended_at is not null`;
  return row;
}

const NOTICES_AT_ONCE = 100;

/**
 * Removes other people's notices about this person's posts from the mailboxes and the database, because nobody can see
 * the posts any more.
 * @throws Error if a mailbox cannot be reached. The next run removes the remaining notices.
 */
export async function retractNotices(env: Env, db: Db, userId: string): Promise<void> {
  const some = sql`
    select n.id from posts p cross join notices n on n.post_id = p.id
    where p.author_id = ${userId} order by n.id limit ${NOTICES_AT_ONCE}`;
  for (;;) {
    const rows = await queryRows(db, idRow)`
      update notices set delivered_at = null, delivery_due_at = 0 where id in (${some}) returning id`;
    if (rows.length === 0) return;
    const ids = idsOf(rows);
    await deliverNotices(env, db, ids);
    const among = sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
    // `deliverNotices` has deleted the withdrawn notices, except those about dismissed matches. Deletes these too.
    const { left } = await batch(db, {
      deleteNotices: db.run(sql`delete from notices where ${among} and delivered_at is not null`),
      left: queryRows(db, idRow)`select id from notices where ${among} limit 1`,
    });
    if (left.length > 0) throw new Error('A mailbox cannot be reached');
  }
}

/**
 * Redelivers the claimants' notices about claims on this person's posts, without the posts' erased titles. The notices
 * stay, because the claims stay for the claimants.
 * @throws Error if a mailbox cannot be reached. The next run delivers the remaining notices.
 */
export async function renewClaimNews(env: Env, db: Db, userId: string): Promise<void> {
  const since = Date.now() - MESSAGE_LIFETIME_MS;
  for (let last = ''; ; ) {
    const some = sql`
      select n.id from claims k cross join notices n on n.claim_id = k.id
      where k.finder_id = ${userId} and n.recipient_id <> ${userId} and n.created_at > ${since} and n.id > ${last}
      order by n.id limit ${NOTICES_AT_ONCE}`;
    const rows = await queryRows(db, idRow)`
      update notices set delivered_at = null, delivery_due_at = 0 where id in (${some}) returning id`;
    if (rows.length === 0) return;
    const ids = idsOf(rows).sort();
    await deliverNotices(env, db, ids);
    const left = await queryRows(db, idRow)`
      select id from notices where id in (select value from json_each(${JSON.stringify(ids)})) and delivered_at is null limit 1`;
    if (left.length > 0) throw new Error('A mailbox cannot be reached');
    last = ids.at(-1) ?? '';
  }
}

/** Deletes the titles of the person's posts from claims, so that no notice shows them any more. */
export async function forgetTitles(db: Db, userId: string): Promise<void> {
  await db.repeatable.update(claims).set({ postTitle: null }).where(eq(claims.finderId, userId));
}
