import { type SQL, sql } from 'drizzle-orm';
import { POSSIBLE_MATCHES_MAX } from '#contract/limits.ts';
import type { Confidence } from '#contract/matching.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config } from '#worker/env.ts';
import { newId } from '#worker/identity/ids.ts';
import { allowanceOf, countEach, countSoFar } from '#worker/limits/allowance.ts';
import { hasDismissed, reviseAndRead, type UndeliveredNotice, WITHDRAWN_FROM } from '#worker/notices/index.ts';
import { isOpen, type StoredPost } from '#worker/posts/index.ts';
import type { Match, MatchableRow } from './match-types.ts';

/** Three times what is listed: some are found, hidden or answered before anybody looks. A crowd brings a hundred. */
const POSSIBLE_STORED_MAX = 3 * POSSIBLE_MATCHES_MAX;

type Judgement = {
  post: MatchableRow;
  matches: Match[];
  config: Config;
  /** Before anything was read that was judged. */
  startedAt: number;
  now: number;
};

/**
 * Writes the pairs that are new, renews what is known of the others, makes the notices of those that have just become
 * sure and again those that were withdrawn unread, within what one author may tell one person, and marks the post matched.
 * Nothing of it happens when the post has been changed, found, hidden or deleted since it was read; whoever changed it
 * matches it again.
 * @returns the notices about this post that a mailbox is to be told of.
 */
export async function storePairs(db: Db, judged: Judgement): Promise<UndeliveredNotice[]> {
  const judgement = { ...judged, matches: worthStoring(judged.matches) };
  const { post } = judgement;
  const pairs = JSON.stringify(judgement.matches.map((match) => toPair(judgement, match)));
  const isUnchanged = sql`exists (
    select 1 from posts u where u.id = ${post.id} and ${isOpen('u')}
      and u.match_pending_since = ${post.match_pending_since})`;
  const [, , , , , , , , notices] = await db.repeatable.batch([
    db.run(upsertPairs(judgement, pairs, isUnchanged)),
    ...tellOf(db, judgement, pairs, isUnchanged, SURE),
    db.run(sql`
      update match_pairs set withdrawn_from_post_id = null
      where id in (select n.pair_id from json_each(${pairs}) j cross join notices n on n.id = ${field('noticeId')})`),
    ...tellOf(db, judgement, pairs, isUnchanged, CONFIRMED),
    db.run(lapsePairs(judgement, isUnchanged)),
    ...reviseAndRead(db, sql`${post.id}`),
    db.run(sql`
      update posts set match_pending_since = null, match_failures = 0
      where id = ${post.id} and match_pending_since = ${post.match_pending_since}`),
  ]);
  return notices;
}

function worthStoring(matches: Match[]): Match[] {
  const possible = matches.filter(({ confidence }) => confidence === 'possible').sort((a, b) => b.score - a.score);
  return [...matches.filter(({ confidence }) => confidence === 'sure'), ...possible.slice(0, POSSIBLE_STORED_MAX)];
}

function toPair({ post, config }: Judgement, { candidate, confidence, score, reasons }: Match) {
  const [lost, found] = post.posted_by === 'owner' ? [post, candidate] : [candidate, post];
  const ids = { id: newId(), lost: lost.id, found: found.id, other: candidate.id };
  const sharesIdentifier = candidate.shares_identifier;
  return {
    ...ids,
    confidence,
    score,
    reasons: JSON.stringify(reasons),
    sharesIdentifier,
    noticeId: confidence === 'sure' ? newId() : null,
    confirmedNoticeId: newId(),
    /** Under which it is counted that the post's author causes a notice to the other one, and the other way round. */
    causesKey: noticeAllowance(config, post.author_id, candidate.author_id).key,
    getsKey: noticeAllowance(config, candidate.author_id, post.author_id).key,
  };
}

function noticeAllowance(config: Config, authorId: string, recipientId: string) {
  return allowanceOf(config, 'matching_notice', `${authorId} ${recipientId}`);
}

/** A column of the pairs, which travel as one JSON value because a statement takes 100 values at most. */
function field(name: keyof ReturnType<typeof toPair>): SQL {
  return sql.raw(`j.value ->> '${name}'`);
}

/**
 * Two posts are one pair whichever of them is called lost, for an author may change that: one row, one notice, ever. The
 * notice gets a new id if it was withdrawn unread, because a mailbox accepts no id that it has retracted. A notice with
 * the old id no longer has a pair, so the next delivery retracts it.
 */
function upsertPairs({ startedAt, now }: Judgement, pairs: string, isUnchanged: SQL): SQL {
  const isTurned = sql`exists (select 1 from match_pairs r
    where r.lost_post_id = ${field('found')} and r.found_post_id = ${field('lost')})`;
  const isWithdrawn = sql`(match_pairs.withdrawn_from_post_id is not null and not exists (
    select 1 from notices n where n.id = match_pairs.notice_id and n.read_at is not null))`;
  return sql`
    insert into match_pairs (
      id, lost_post_id, found_post_id, score, reasons, confidence, shares_identifier, notice_id, created_at, judged_at)
    select ${field('id')}, iif(${isTurned}, ${field('found')}, ${field('lost')}),
      iif(${isTurned}, ${field('lost')}, ${field('found')}), ${field('score')}, ${field('reasons')},
      ${field('confidence')}, ${field('sharesIdentifier')}, ${field('noticeId')}, ${now}, ${now}
    from json_each(${pairs}) j
    where ${isUnchanged} and exists (select 1 from posts o where o.id = ${field('other')} and ${isOpen('o')})
    on conflict (lost_post_id, found_post_id) do update set
      score = excluded.score, reasons = excluded.reasons, confidence = excluded.confidence,
        shares_identifier = excluded.shares_identifier,
      notice_id = iif(${isWithdrawn}, coalesce(excluded.notice_id, match_pairs.notice_id),
        coalesce(match_pairs.notice_id, excluded.notice_id)),
      judged_at = excluded.judged_at, is_current = 1
      where match_pairs.judged_at <= ${startedAt}`;
}

/**
 * Notices of the pairs `m`, which tell the author of the post `first` of the post `news`.
 * @param id which of the pair's new ids the notice gets. @param isDue holds for one of the two directions at most.
 */
type News = { confidence: Confidence; id: 'noticeId' | 'confirmedNoticeId'; isDue: SQL };

/**
 * Tells the author of the post that was there first of the other, which appeared or was changed later: whoever waited,
 * whichever of the two is matched last. Whoever has not read it is told again after it was withdrawn. Only a pair that has
 * just become sure, or whose notice was withdrawn, has the notice's id that it was given here.
 */
const SURE: News = {
  confidence: 'sure',
  id: 'noticeId',
  isDue: sql`m.notice_id = ${field('noticeId')} and iif(m.withdrawn_from_post_id is null,
    (news.changed_at, news.seq) > (first.changed_at, first.seq), first.id = m.withdrawn_from_post_id)`,
};

/**
 * Tells a person again that the other one has confirmed the pair, if that notice was withdrawn unread. Whoever has
 * confirmed the pair themself knows of it.
 */
const CONFIRMED: News = {
  confidence: 'possible',
  id: 'confirmedNoticeId',
  isDue: sql`m.is_current = 1 and ${hasConfirmed(sql.raw('news.author_id'))}
    and not ${hasConfirmed(sql.raw('first.author_id'))}
    and not exists (select 1 from notices r
      where r.pair_id = m.id and r.recipient_id = first.author_id and r.confidence = 'possible')`,
};

function hasConfirmed(userId: SQL): SQL {
  return sql`exists (
    select 1 from match_answers a where a.pair_id = m.id and a.user_id = ${userId} and a.answer = 'confirmed')`;
}

/**
 * Statements: make the notices that are due, and count them. Of several that one author causes to one person the best ones
 * are told.
 */
function tellOf(
  db: Db,
  { post, config, now }: Judgement,
  pairs: string,
  isUnchanged: SQL,
  { confidence, id, isDue }: News,
) {
  const allowance = noticeAllowance(config, post.author_id, post.author_id);
  const counted = {
    from: sql`from json_each(${pairs}) j cross join notices n on n.id = ${field(id)} where ${isUnchanged}`,
    key: limitKey(post, sql`n.post_id`),
  };
  return [
    db.run(sql`
      insert into notices (id, recipient_id, type, pair_id, confidence, post_id, your_post_id, created_at)
      select t.id, t.recipient_id, 'matching_post', t.pair_id, ${confidence}, t.post_id, t.your_post_id, ${now}
      from (
        select ${field(id)} as id, m.id as pair_id, news.id as post_id, first.id as your_post_id,
          first.author_id as recipient_id, ${limitKey(post, sql`news.id`)} as limit_key, row_number() over (
            partition by ${limitKey(post, sql`news.id`)} order by m.score desc, news.seq desc, first.seq desc) as nth
        from json_each(${pairs}) j
        cross join match_pairs m on m.lost_post_id in (${field('lost')}, ${field('found')})
          and m.found_post_id in (${field('lost')}, ${field('found')})
        cross join posts first on first.id in (m.lost_post_id, m.found_post_id)
        cross join posts news on news.id in (m.lost_post_id, m.found_post_id) and news.id <> first.id
        where ${isUnchanged} and ${isDue} and not ${hasDismissed(sql`first.author_id`)}
      ) t
      where t.nth + ${countSoFar(sql`t.limit_key`, now)} <= ${allowance.max}`),
    countEach(db.repeatable, allowance, counted, now),
  ] as const;
}

/** @param news the post that is told of: the one that was matched, or the other one. */
function limitKey(post: StoredPost, news: SQL): SQL {
  return sql`iif(${news} = ${post.id}, ${field('causesKey')}, ${field('getsKey')})`;
}

/**
 * The new text no longer matches these; a notice of them that is still unread is withdrawn, and made again if they match
 * again. Of the pairs that a job of the other post has judged meanwhile that job knows better.
 */
function lapsePairs({ post, matches, startedAt, now }: Judgement, isUnchanged: SQL): SQL {
  const current = JSON.stringify(matches.map(({ candidate }) => candidate.id));
  return sql`
    update match_pairs set is_current = 0, judged_at = ${now},
      withdrawn_from_post_id = ${WITHDRAWN_FROM}
    where (lost_post_id = ${post.id} or found_post_id = ${post.id}) and judged_at <= ${startedAt} and ${isUnchanged}
      and lost_post_id not in (select value from json_each(${current}))
      and found_post_id not in (select value from json_each(${current}))`;
}
