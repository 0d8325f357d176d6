import { type SQL, sql } from 'drizzle-orm';
import type { ClaimRole } from '#contract/claims.ts';
import type {
  ClaimNewsMessage,
  CommunityClosingMessage,
  CommunityStandingMessage,
  LiveMessage,
  PasswordChangedMessage,
  PostStandingMessage,
  StillLookingMessage,
} from '#contract/live-messages.ts';
import type { HiddenBy } from '#contract/posts.ts';
import { hasOtherAdmin } from '#worker/conditions/communities.ts';
import { isOpen } from '#worker/conditions/posts.ts';
import type { Db, Handle } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/statements.ts';
import { newId } from '#worker/identity/digests.ts';
import { isActingAdmin } from '#worker/identity/viewer.ts';
import { hasDismissed } from './read-notices.ts';

/** Messages that `notices` stores in full, because they cannot be composed from rows of other tables. */
type OwnMessage = Exclude<LiveMessage, { type: 'matching_post' } | ClaimNewsMessage>;

/** Statement: stores a notice for a person, if the condition holds. `deliverNotices` delivers the notice later. */
export function keepNotice(
  db: Db,
  { message, recipientId, condition }: { message: OwnMessage; recipientId: SQL; condition: SQL },
  now: number,
) {
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${message.id}, ${recipientId}, ${message.type}, ${JSON.stringify(message)}, ${now} where ${condition}`);
}

/** Statement: stores a notice for each message (“are you still looking?”) whose post `p` meets the condition. */
export function keepQuestions(db: Db, messages: StillLookingMessage[], condition: SQL, now: number) {
  return db.run(sql`
    insert into notices (id, recipient_id, type, your_post_id, body, created_at)
    select j.value ->> 'id', p.author_id, j.value ->> 'type', p.id, j.value, ${now}
    from json_each(${JSON.stringify(messages)}) j cross join posts p on p.id = j.value ->> 'post_id' where ${condition}`);
}

/**
 * Statement: after one author has confirmed a possible match ("this is the one"), notifies the other author, once. If
 * this notice is withdrawn unread, the next matching creates it again (`storePairs`).
 * @param which condition on the pair `m` and the answer `a`.
 */
export function notifyOtherAuthor(db: Db, which: SQL, now: number) {
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

/** A notice about claims: its type, the party who gets it, and a condition on the claims `k`. */
export type ClaimNews = { type: ClaimNewsMessage['type']; to: ClaimRole; which: SQL };

/** Statement: notifies the party `to` of each claim that meets `which`, unless the party's account is deleted. */
export function notifyParties(db: Handle, { type, to, which }: ClaimNews, now: number) {
  const recipient = sql.raw(`k.${to}_id`);
  return queryRows(db, idRow)`
    insert into notices (id, recipient_id, type, claim_id, created_at)
    select lower(hex(randomblob(16))), ${recipient}, ${type}, k.id, ${now} from claims k
    where ${which} and ${recipient} is not null returning id`;
}

/** What a notice about an event in a community contains, besides the community's id and name. */
type CommunityNews =
  | Pick<CommunityClosingMessage, 'type' | 'closes_at'>
  | Pick<CommunityStandingMessage, 'type' | 'reason'>
  | { type: 'join_request' };

/** Statement: notifies all members of a community except the given one, if the condition on the community `c` holds. */
export function notifyOtherMembers(
  db: Db,
  { communityId, userId }: { communityId: string; userId: string },
  news: CommunityNews,
  condition: SQL,
  now: number,
) {
  return notifyMembers(db, news, sql`c.id = ${communityId} and m.user_id <> ${userId} and ${condition}`, now);
}

/** Statement: notifies the admins of a community, if the condition on the community `c` holds. */
export function notifyCommunityAdmins(db: Db, communityId: string, news: CommunityNews, condition: SQL, now: number) {
  return notifyMembers(db, news, sql`c.id = ${communityId} and m.role = 'admin' and ${condition}`, now);
}

/**
 * Statement: notifies members of communities.
 * @param which condition on the community `c` and its membership `m`.
 */
function notifyMembers(db: Db, { type, ...details }: CommunityNews, which: SQL, now: number) {
  const fields = Object.entries(details).map(([name, value]) => sql`${name}, ${value}, `);
  return queryRows(db, idRow)`
    with made as materialized (
      select lower(hex(randomblob(16))) as id, m.user_id, c.id as community_id, c.name
      from communities c cross join memberships m on m.community_id = c.id where ${which})
    insert into notices (id, recipient_id, type, body, created_at)
    select id, user_id, ${type}, json_object('type', ${type}, 'id', id, 'community_id', community_id, 'name', name,
      ${sql.join(fields)} 'created_at', ${new Date(now).toISOString()}), ${now}
    from made returning id`;
}

/**
 * Statement: notifies a person that a community has accepted their request to join, if the condition on the community
 * `c` holds.
 */
export function notifyNewMember(db: Db, noticeId: string, userId: string, condition: SQL, now: number) {
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${noticeId}, ${userId}, 'join_accepted', json_object('type', 'join_accepted', 'id', ${noticeId},
      'community_id', c.id, 'name', c.name, 'created_at', ${new Date(now).toISOString()}), ${now}
    from communities c where ${condition}`);
}

/**
 * Statement: notifies platform admins that cases wait for a decision. An admin who has not read the previous notice
 * gets a new one only if a case is overdue.
 * @param due a `from` clause with the cases `w` that are new or overdue. If it selects none, nobody is notified.
 */
export function notifyAdminsOfCases(db: Db, adminIds: readonly string[], due: SQL, now: number) {
  const notices = JSON.stringify(adminIds.map((adminId) => ({ id: newId(), adminId })));
  return queryRows(db, idRow)`
    insert into notices (id, recipient_id, type, body, created_at)
    select a.value ->> 'id', a.value ->> 'adminId', 'reports_waiting',
      json_object('type', 'reports_waiting', 'id', a.value ->> 'id',
        'waiting', (select count(*) from moderation_cases where status = 'open'),
        'is_overdue', json(iif(d.is_overdue, 'true', 'false')), 'created_at', ${new Date(now).toISOString()}), ${now}
    from (select max(w.times_told) > 0 as is_overdue from ${due}) d cross join json_each(${notices}) a
    where d.is_overdue is not null and (d.is_overdue or not exists (
      select 1 from notices n
      where n.recipient_id = a.value ->> 'adminId' and n.type = 'reports_waiting' and n.read_at is null))
    returning id`;
}

/**
 * Statement: if the condition holds, notifies the platform admins about each community whose only admin is this person
 * and that has other members.
 */
export function notifyAdminsOfDeparture(db: Db, userId: string, condition: SQL, now: number) {
  return queryRows(db, idRow)`
    with made as materialized (
      select lower(hex(randomblob(16))) as id, a.id as admin_id, c.id as community_id, c.name
      from memberships m cross join communities c on c.id = m.community_id cross join users a
      where m.user_id = ${userId} and m.role = 'admin' and c.approval_status = 1 and c.member_count > 1
        and ${isActingAdmin('a')} and a.id <> ${userId} and ${condition}
        and not ${hasOtherAdmin(sql`c.id`, userId)})
    insert into notices (id, recipient_id, type, body, created_at)
    select id, admin_id, 'community_without_admin', json_object('type', 'community_without_admin', 'id', id,
      'community_id', community_id, 'name', name, 'created_at', ${new Date(now).toISOString()}), ${now}
    from made where true returning id`;
}

/** Statement: notifies a person that their password was changed. Does nothing if the select `userId` gives null. */
export function notifyOfNewPassword(db: Db, userId: SQL, noticeId: string, now: number) {
  const message: PasswordChangedMessage = {
    type: 'password_changed',
    id: noticeId,
    created_at: new Date(now).toISOString(),
  };
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${noticeId}, id, ${message.type}, ${JSON.stringify(message)}, ${now} from users where id = ${userId}`);
}

/**
 * Composes the message to an author whose post was hidden or restored.
 * @param hidden by whom and why the post is hidden; null when the post is restored.
 */
export function toStandingMessage(
  post: { id: string; title: string },
  hidden: { by: HiddenBy; reason: string | null } | null,
  { id, now }: { id: string; now: number },
): PostStandingMessage {
  return {
    type: hidden ? 'post_hidden' : 'post_restored',
    id,
    post_id: post.id,
    title: post.title,
    hidden_by: hidden?.by ?? null,
    reason: hidden?.reason ?? null,
    created_at: new Date(now).toISOString(),
  };
}
