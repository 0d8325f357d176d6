import { type SQL, sql } from 'drizzle-orm';
import type { ClaimRole } from '#contract/claims.ts';
import type {
  ClaimNewsMessage,
  LiveMessage,
  PasswordChangedMessage,
  StillLookingMessage,
} from '#contract/live-messages.ts';
import { isMember } from '#worker/communities/index.ts';
import type { Db, Handle, Query } from '#worker/db/client.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { isOpen, isShownTo } from '#worker/posts/index.ts';
import { type UndeliveredNotice, undeliveredNoticeRow, untoldNoticeRow } from './notice-rules.ts';

/** Messages that are stored whole, because they cannot be composed from other rows. */
type OwnMessage = Exclude<LiveMessage, { type: 'matching_post' } | ClaimNewsMessage>;

/** The columns of a NoticeRow, from `notices n` with `JOIN_PAIR_AND_POSTS`. */
export const NOTICE_COLUMNS = sql.raw(`
  n.id, n.type, n.body, n.pair_id, n.confidence, n.post_id, n.your_post_id, p.title, p.location, p.kept_at, p.owner_first_name, p.owner_last_name,
  p.kind, p.contact, p.phone_number, p.created_at as post_created_at, m.score, m.reasons, m.shares_identifier, n.created_at, n.place_in_day,
  n.claim_id, k.post_id as claimed_post_id, k.post_title as claimed_title, k.post_kind as claimed_kind,
  k.finder_id = n.recipient_id as is_to_finder`);
/** The pair that a notice is about, unless a newer notice has replaced it, or it is unread and the posts no longer match. */
const IS_ITS_PAIR = sql.raw(`m.id = n.pair_id and (n.confidence = 'possible' or m.notice_id = n.id)
  and (m.is_current = 1 or n.read_at is not null)`);
export const JOIN_PAIR_AND_POSTS = sql`
  left join match_pairs m on ${IS_ITS_PAIR}
  left join posts p on p.id = n.post_id
  left join posts y on y.id = n.your_post_id
  left join claims k on k.id = n.claim_id`;

/** Condition: the person has dismissed the pair `m` for themselves. */
export function hasDismissed(userId: SQL): SQL {
  return sql`exists (
    select 1 from match_answers d where d.pair_id = m.id and d.user_id = ${userId} and d.answer = 'dismissed')`;
}

const IS_DISMISSED = sql`(m.dismissed_at is not null or ${hasDismissed(sql.raw('n.recipient_id'))})`;

/** Condition: the recipient may see the post and has not dismissed the pair. Always true except for matches. */
export const IS_SHOWN = sql`(n.type <> 'matching_post' or (
  m.id is not null and not ${IS_DISMISSED} and y.id is not null and p.id is not null
  and ${isShownTo('p', sql.raw('n.recipient_id'))}))`;
/** Condition: the recipient can still act on it. A `still_looking` question is answered by any edit, or the post's end. */
export const IS_OPEN = sql`(case n.type
  when 'matching_post' then ${isOpen('p')} and ${isOpen('y')}
  when 'still_looking' then coalesce(${isOpen('y')} and y.times_asked > 0, 0)
  else 1 end)`;

/**
 * Statement: those of the notices whose state their mailboxes do not have yet, oldest first.
 * @param some selects them as `id`.
 */
export function readUndelivered(db: Db, some: SQL): Query<UndeliveredNotice> {
  return queryRows(db, undeliveredNoticeRow)`
    select ${NOTICE_COLUMNS}, n.recipient_id,
      coalesce(${IS_SHOWN} and ${IS_OPEN}, 0) as is_true
    from (${some}) j cross join notices n on n.id = j.id ${JOIN_PAIR_AND_POSTS}
    where n.delivered_at is null
    order by n.created_at, n.id`;
}

/**
 * Those of a person's notices that are unread and still true, oldest first. The title is that of their own post for a
 * match.
 */
export async function readUntold(db: Db, userId: string, ids: string[]) {
  return queryRows(db, untoldNoticeRow)`
    select n.id, n.type = 'matching_post' as is_match, n.claim_id, coalesce(y.kind, k.post_kind) as kind,
      coalesce(y.title, k.post_title, n.body ->> 'title') as title
    from json_each(${JSON.stringify(ids)}) j cross join notices n on n.id = j.value ${JOIN_PAIR_AND_POSTS}
    where n.recipient_id = ${userId} and n.read_at is null and ${IS_SHOWN} and ${IS_OPEN}
    order by n.created_at, n.id`;
}

/**
 * Claims the notices that have waited longest, and schedules their next try before this one is made, so that one that
 * cannot be delivered never blocks the others.
 */
export async function claimOverdueNotices(
  db: Db,
  { before, now, limit }: { before: number; now: number; limit: number },
) {
  const rows = await queryRows(db, idRow)`
    update notices set delivery_failures = delivery_failures + 1,
      delivery_due_at = ${nextTry(now, 'delivery_failures')}
    where id in (
      select id from notices where delivered_at is null and delivery_due_at <= ${now} and created_at < ${before}
      order by delivery_due_at, created_at limit ${limit})
    returning id`;
  return idsOf(rows);
}

/**
 * Records what the mailboxes have accepted. A notice that became untrue during its delivery stays undelivered, for the
 * sweep to retract. A retracted one is deleted, unless it was dismissed: then a repeated request still finds it.
 */
export async function recordDelivery(
  db: Db,
  { delivered, withdrawn, now }: { delivered: string[]; withdrawn: string[]; now: number },
): Promise<void> {
  const among = (ids: string[]) => sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
  const hasPair = sql`exists (select 1 from match_pairs m where ${IS_ITS_PAIR} and not ${IS_DISMISSED})`;
  const isDismissed = sql`exists (select 1 from match_pairs m where ${IS_ITS_PAIR} and ${IS_DISMISSED})`;
  await db.repeatable.batch([
    db.run(sql`
      update notices as n set delivered_at = ${now}, delivery_failures = 0
      where ${among(delivered)} and delivered_at is null and (type <> 'matching_post' or (${hasPair}
        and exists (select 1 from posts p where p.id = n.post_id and ${isOpen('p')} and ${isShownTo('p', sql.raw('n.recipient_id'))})
        and exists (select 1 from posts y where y.id = n.your_post_id and ${isOpen('y')})))`),
    db.run(sql`
      update notices as n set delivered_at = ${now}, delivery_failures = 0
      where ${among(withdrawn)} and delivered_at is null and ${isDismissed}`),
    db.run(sql`delete from notices where ${among(withdrawn)} and delivered_at is null`),
  ]);
}

/**
 * Statement: marks unread notices about these posts for delivery, because the posts were edited, found or hidden. Pass
 * the returned ids to `deliverNotices`, which delivers or retracts them.
 * @param posts a post's id, or a select of several.
 */
export function reviseUnreadNotices(db: Db, posts: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0 where ${isUnreadOf(posts)} returning id`;
}

/** Statements: as `reviseUnreadNotices`. The last one answers the notices, for `tellMailboxes`. */
export function reviseAndRead(db: Db, posts: SQL) {
  const revised = sql`select id from notices where ${isUnreadOf(posts)}`;
  return [reviseUnreadNotices(db, posts), readUndelivered(db, revised)] as const;
}

function isUnreadOf(posts: SQL): SQL {
  return sql`(post_id in (${posts}) or your_post_id in (${posts})) and read_at is null`;
}

/** Statement: stores a notice for a person, if the condition holds, for `deliverNotices` to deliver. */
export function keepNotice(
  db: Db,
  { message, recipientId, condition }: { message: OwnMessage; recipientId: SQL; condition: SQL },
  now: number,
) {
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${message.id}, ${recipientId}, ${message.type}, ${JSON.stringify(message)}, ${now} where ${condition}`);
}

/** Statement: stores a question for the authors of the posts `p` for which the condition holds. */
export function keepQuestions(db: Db, messages: StillLookingMessage[], condition: SQL, now: number) {
  return db.run(sql`
    insert into notices (id, recipient_id, type, your_post_id, body, created_at)
    select j.value ->> 'id', p.author_id, j.value ->> 'type', p.id, j.value, ${now}
    from json_each(${JSON.stringify(messages)}) j cross join posts p on p.id = j.value ->> 'post_id' where ${condition}`);
}

/**
 * Statement: as `reviseUnreadNotices`, for posts that the same batch deletes; it includes read notices.
 * @param postIds selects the posts.
 */
export function withdrawNotices(db: Db, postIds: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where post_id in (${postIds}) or your_post_id in (${postIds}) returning id`;
}

/** Statement: as `reviseUnreadNotices`, for notices of two people about each other's posts. */
export function withdrawBetween(db: Db, one: SQL, other: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where read_at is null and recipient_id in (${one}, ${other}) and exists (
      select 1 from posts p
      where p.id = notices.post_id and p.author_id in (${one}, ${other}) and p.author_id <> notices.recipient_id)
    returning id`;
}

/** Statement: as `reviseUnreadNotices`, for a person's notices about posts of a community that they are no longer in. */
export function withdrawInside(db: Db, userId: string, communityId: string) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where recipient_id = ${userId} and read_at is null
      and exists (select 1 from posts p where p.id = notices.post_id and p.community_id = ${communityId})
      and not ${isMember(communityId, userId)}
    returning id`;
}

/** Statement: the viewer has dismissed the pair, so their notices about it are read, and retracted. */
export function withdrawPair(db: Db, viewer: Viewer, pairId: string, now: number) {
  return queryRows(db, idRow)`
    update notices set read_at = coalesce(read_at, ${now}), dismissed_at = coalesce(dismissed_at, ${now}),
      delivered_at = null, delivery_due_at = 0
    where pair_id = ${pairId} and recipient_id = ${viewer.userId} returning id`;
}

/**
 * Statement: when somebody has confirmed a possible pair ("it is this one"), notifies the other author, once. When that
 * notice is withdrawn unread, the next match job makes it again (`storePairs`).
 * @param which condition on the pair `m` and the answer `a`.
 */
export function tellConfirmed(db: Db, which: SQL, now: number) {
  return queryRows(db, idRow)`
    insert into notices (id, recipient_id, type, pair_id, confidence, post_id, your_post_id, created_at)
    select lower(hex(randomblob(16))), y.author_id, 'matching_post', m.id, 'possible', p.id, y.id, ${now}
    from match_pairs m join match_answers a on a.pair_id = m.id and a.answer = 'confirmed'
    join posts p on p.id in (m.lost_post_id, m.found_post_id) and p.author_id = a.user_id
    join posts y on y.id in (m.lost_post_id, m.found_post_id) and y.id <> p.id
    where ${which} and m.is_current = 1 and m.dismissed_at is null and ${isOpen('p')} and ${isOpen('y')}
      and not ${hasDismissed(sql.raw('y.author_id'))}
      and not exists (select 1 from notices r
        where r.pair_id = m.id and r.recipient_id = y.author_id and r.confidence = 'possible')
    returning id`;
}

/** Expression on `match_pairs`, when its notice is about to be withdrawn: the post whose author has not read it. */
export const WITHDRAWN_FROM = sql`coalesce((
  select n.your_post_id from notices n where n.id = match_pairs.notice_id and n.read_at is null), withdrawn_from_post_id)`;

/**
 * Statement: remembers whose unread notices about these posts are about to be withdrawn. They are made again, within what
 * one author may tell one person, when the posts are matched again (`storePairs`).
 */
export function rememberUnread(db: Db, posts: SQL) {
  return db.run(sql`
    update match_pairs set withdrawn_from_post_id = ${WITHDRAWN_FROM}
    where id in (
      select pair_id from notices
      where (post_id in (${posts}) or your_post_id in (${posts})) and read_at is null and confidence = 'sure')`);
}

/** A notice about claims: for which side, and a condition on the claims `k`. */
export type ClaimNews = { type: ClaimNewsMessage['type']; to: ClaimRole; which: SQL };

/** Statement: notifies one side of claims. Deleted accounts get nothing. */
export function tellOfClaims(db: Handle, { type, to, which }: ClaimNews, now: number) {
  const recipient = sql.raw(`k.${to}_id`);
  return queryRows(db, idRow)`
    insert into notices (id, recipient_id, type, claim_id, created_at)
    select lower(hex(randomblob(16))), ${recipient}, ${type}, k.id, ${now} from claims k
    where ${which} and ${recipient} is not null returning id`;
}

/** Statement: the undelivered notices about these claims. @param ids selects the claims. */
export function listUndelivered(db: Handle, ids: SQL) {
  return queryRows(db, idRow)`select id from notices where claim_id in (${ids}) and delivered_at is null`;
}

/** Statement: notifies a person that their password was changed. @param userId null if it was not. */
export function tellPasswordChanged(db: Db, userId: SQL, noticeId: string, now: number) {
  const message: PasswordChangedMessage = {
    type: 'password_changed',
    id: noticeId,
    created_at: new Date(now).toISOString(),
  };
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${noticeId}, id, ${message.type}, ${JSON.stringify(message)}, ${now} from users where id = ${userId}`);
}
