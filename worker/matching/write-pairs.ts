import { type SQL, sql } from 'drizzle-orm';
import { POSSIBLE_MATCHES_MAX } from '#contract/limits.ts';
import type { Confidence } from '#contract/posts.ts';
import { isOpen } from '#worker/conditions/posts.ts';
import { batch, type Db } from '#worker/db/client.ts';
import type { Config } from '#worker/env.ts';
import { newId } from '#worker/identity/digests.ts';
import { allowanceOf, countEach, countSoFar } from '#worker/limits/allowance.ts';
import { hasDismissed, type UndeliveredNotice } from '#worker/notices/read-notices.ts';
import { reviseAndRead, WITHDRAWN_FROM } from '#worker/notices/withdraw-notices.ts';
import type { StoredPost } from '#worker/posts/post-columns.ts';
import type { Match, MatchableRow } from './match-types.ts';

/**
 * How many possible pairs are stored: three times as many as are listed, because some posts are returned, hidden or
 * answered before anybody reads the list.
 */
const POSSIBLE_STORED_MAX = 3 * POSSIBLE_MATCHES_MAX;

type Judgement = {
  post: MatchableRow;
  matches: Match[];
  config: Config;
  /** When this matching began, before it read the posts. */
  startedAt: number;
  now: number;
};

/**
 * Writes new pairs, updates existing ones, and marks the post as matched. Creates notices about pairs that have just
 * become sure, or whose notice was withdrawn unread. If the post was changed, returned, hidden or deleted after it was
 * read, nothing is written: that change starts its own matching.
 * @returns the notices about this post to deliver to mailboxes.
 */
export async function storePairs(db: Db, judged: Judgement): Promise<UndeliveredNotice[]> {
  const judgement = { ...judged, matches: worthStoring(judged.matches) };
  const { post } = judgement;
  const pairs = JSON.stringify(judgement.matches.map((match) => toPair(judgement, match)));
  const isUnchanged = sql`exists (
    select 1 from posts u where u.id = ${post.id} and ${isOpen('u')}
      and u.match_pending_since = ${post.match_pending_since})`;
  const { revised } = await batch(db.repeatable, {
    upsertPairs: db.run(upsertPairs(judgement, pairs, isUnchanged)),
    sure: notifyAuthors(db, judgement, pairs, isUnchanged, SURE),
    updatePairs: db.run(sql`
      update match_pairs set withdrawn_from_post_id = null
      where id in (select n.pair_id from json_each(${pairs}) j cross join notices n on n.id = ${field('noticeId')})`),
    confirmed: notifyAuthors(db, judgement, pairs, isUnchanged, CONFIRMED),
    lapsePairs: db.run(lapsePairs(judgement, isUnchanged)),
    revised: reviseAndRead(db, sql`${post.id}`),
    updatePosts: db.run(sql`
      update posts set match_pending_since = null, match_failures = 0
      where id = ${post.id} and match_pending_since = ${post.match_pending_since}`),
  });
  return revised.undelivered;
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
    /**
     * The keys of two counters that limit notices. `causesKey` counts notices to the candidate's author about posts by
     * the author of `post`. `getsKey` counts notices to the author of `post` about posts by the candidate's author.
     */
    causesKey: noticeAllowance(config, post.author_id, candidate.author_id).key,
    getsKey: noticeAllowance(config, candidate.author_id, post.author_id).key,
  };
}

function noticeAllowance(config: Config, authorId: string, recipientId: string) {
  return allowanceOf(config, 'matching_notice', `${authorId} ${recipientId}`);
}

/** Expression: a field of the pair `j`. All pairs are one JSON value, because a statement takes at most 100 values. */
function field(name: keyof ReturnType<typeof toPair>): SQL {
  return sql.raw(`j.value ->> '${name}'`);
}

/**
 * Returns the SQL that inserts or updates the pairs. Two posts have only one pair and one notice, even if their authors
 * swap which post is lost and which is found. If the pair's notice was withdrawn unread, the pair gets a new notice id,
 * because the mailbox ignores the old id from then on. The next delivery removes the old notice from the mailbox,
 * because no pair contains the old id.
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
 * A notice about a pair `m`. The notice goes to the author of one post of the pair, `first`, and is about the other
 * post, `news`. `notifyAuthors` tries both posts as `first`, so `isDue` must be true for at most one of them.
 * @param id the property of `toPair` that has the notice's new id.
 */
type News = { confidence: Confidence; id: 'noticeId' | 'confirmedNoticeId'; isDue: SQL };

/**
 * Notifies the author of the older post about the post that was created or changed later, no matter which of the two is
 * being matched. If a notice was withdrawn unread, its recipient is notified again. `m.notice_id` equals the new
 * `noticeId` only if the pair has just become sure or its notice was withdrawn.
 */
const SURE: News = {
  confidence: 'sure',
  id: 'noticeId',
  isDue: sql`m.notice_id = ${field('noticeId')} and iif(m.withdrawn_from_post_id is null,
    (news.changed_at, news.seq) > (first.changed_at, first.seq), first.id = m.withdrawn_from_post_id)`,
};

/**
 * Notifies a person that the other author has confirmed the pair, unless the person has confirmed the pair too. The
 * other author's confirmation already created such a notice (answer-pair.ts). A new notice is due only if the earlier
 * notice was withdrawn unread.
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
 * Statements: create the notices that are due, and count them. The number of notices that one person gets about the
 * posts of one author is limited. Above the limit, only notices about the pairs with the highest scores are created.
 */
function notifyAuthors(
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
  return {
    insertNotices: db.run(sql`
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
    count: countEach(db.repeatable, allowance, counted, now),
  };
}

/**
 * Returns the key of the counter that limits notices about the post `news`.
 * @param news the id of `post` or of the candidate.
 */
function limitKey(post: StoredPost, news: SQL): SQL {
  return sql`iif(${news} = ${post.id}, ${field('causesKey')}, ${field('getsKey')})`;
}

/**
 * Returns the SQL that ends the pairs that the post's changed text no longer matches. Their unread notices are
 * withdrawn, and created again if the posts match again. Pairs that were judged since this matching began stay
 * unchanged.
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
