import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import { reviseUnreadNotices } from '#worker/notices/index.ts';
import { FROM_POSTS, isMember, isShownTo, POST_COLUMNS, type PostRow, postRow } from '#worker/posts/index.ts';
import { valuesOf } from './competition.ts';
import { indexTerms } from './index-terms.ts';
import { type CandidateRow, candidateRow, type Match, type MatchableRow, matchableRow } from './match-types.ts';
import { encodeReading, readingVersion } from './reading/encode-reading.ts';
import type { PostReading } from './reading/read-post.ts';

/** How many of the newest posts one term may bring, so that a lookup costs the same among a million posts. */
const NEWEST_PER_TERM = 100;
/** How many candidates are judged: those that share the most terms, the newest first among equals. */
const CANDIDATES_MAX = 150;

/** The post, if it is open and waits to be matched. */
export async function readPending(db: Db, postId: string): Promise<MatchableRow | undefined> {
  const [row] = await queryRows(db, matchableRow)`
    select ${POST_COLUMNS}, p.match_pending_since ${FROM_POSTS}
    where p.id = ${postId} and p.is_found = 0 and p.match_pending_since is not null`;
  return row;
}

/**
 * Takes up the post that has waited longest, and puts off its next try before this one is made: a minute, then
 * twice as long each time, at most about 17 hours. Of two sweeps at once each gets another post.
 */
export async function claimOverduePost(db: Db, before: number, now: number): Promise<string | null> {
  const [row] = await queryRows(db, idRow)`
    update posts set match_failures = match_failures + 1,
      match_pending_since = ${nextTry(now, 'match_failures')}
    where seq = (
      select seq from posts where match_pending_since < ${before} order by match_pending_since limit 1)
    returning id`;
  return row?.id ?? null;
}

/**
 * Keeps what was read in the post, and makes it findable for others. Before it looks itself: of two posts saved at once,
 * one then sees the other.
 */
export async function storeReading(db: Db, seq: number, reading: PostReading): Promise<void> {
  const [terms, agreeable] = [JSON.stringify(indexTerms(reading)), JSON.stringify(valuesOf(reading))];
  await db.repeatable.batch([
    db.run(sql`delete from match_terms where post_seq = ${seq}`),
    db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, t.value, p.seq from posts p, json_each(${terms}) t
      where p.seq = ${seq} and p.is_found = 0`),
    db.run(sql`
      insert or replace into match_readings (post_seq, version, reading, agreeable)
      select p.seq, ${readingVersion()}, ${encodeReading(reading)}, ${agreeable} from posts p
      where p.seq = ${seq} and p.is_found = 0`),
  ]);
}

/**
 * Open posts of the other kind and another person that stand under one of the terms, where each author may see the
 * other's post and neither has said that the two are not the same.
 */
export async function findCandidates(db: Db, post: PostRow, terms: string[]): Promise<CandidateRow[]> {
  const otherKind = post.posted_by === 'owner' ? 'finder' : 'owner';
  return queryRows(db, candidateRow)`
    select ${POST_COLUMNS}, r.reading from (
      select m.value as seq, count(*) as shared
      from json_each(${JSON.stringify(terms)}) t cross join json_each((select json_group_array(post_seq) from (
        select n.post_seq from match_terms n where n.posted_by = ${otherKind} and n.term = t.value
        order by n.post_seq desc limit ${NEWEST_PER_TERM}))) m
      group by m.value order by shared desc, m.value desc limit ${CANDIDATES_MAX}
    ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
      left join match_readings r on r.post_seq = p.seq and r.version = ${readingVersion()}
    where p.is_found = 0 and p.author_id <> ${post.author_id}
      and ${isShownTo('p', sql`${post.author_id}`)}
      and (${post.community_id} is null or ${isMember(sql`${post.community_id}`, sql`p.author_id`)})
      and not exists (select 1 from match_pairs d where d.dismissed_at is not null and (
        (d.lost_post_id = p.id and d.found_post_id = ${post.id})
        or (d.lost_post_id = ${post.id} and d.found_post_id = p.id)))`;
}

/** Open posts that another version has read, the oldest first. */
export function listOutdated(db: Db, limit: number): Promise<PostRow[]> {
  return queryRows(db, postRow)`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.is_found = 0 and p.seq in (
      select post_seq from match_readings where version <> ${readingVersion()} order by version, post_seq limit ${limit})`;
}

type Judgement = {
  post: MatchableRow;
  matches: Match[];
  /** Before anything was read that was judged. */
  startedAt: number;
  now: number;
};

/**
 * Writes the pairs that are new, each with its notice, renews what is known of the others, and marks the post matched. Nothing of it happens when the post has been changed, found or deleted since
 * it was read; whoever changed it matches it again.
 * @returns the ids of the notices about this post that a mailbox is to be told of.
 */
export async function storePairs(db: Db, judgement: Judgement): Promise<string[]> {
  const { post } = judgement;
  const pairs = JSON.stringify(judgement.matches.map((match) => toPair(post, match)));
  const isUnchanged = sql`exists (
    select 1 from posts u where u.id = ${post.id} and u.is_found = 0
      and u.match_pending_since = ${post.match_pending_since})`;
  const [, , , revised] = await db.repeatable.batch([
    db.run(upsertPairs(judgement, pairs, isUnchanged)),
    db.run(insertNotices(judgement, pairs)),
    db.run(lapsePairs(judgement, isUnchanged)),
    reviseUnreadNotices(db, post.id),
    db.run(sql`
      update posts set match_pending_since = null, match_failures = 0
      where id = ${post.id} and match_pending_since = ${post.match_pending_since}`),
  ]);
  return revised.map((row) => row.id);
}

function toPair(post: PostRow, { candidate, score, reasons }: Match) {
  const [lost, found] = post.posted_by === 'owner' ? [post, candidate] : [candidate, post];
  const ids = { id: newId(), lost: lost.id, found: found.id, other: candidate.id };
  return { ...ids, score, reasons: JSON.stringify(reasons) };
}

/** A column of the pairs, which travel as one JSON value because a statement takes 100 values at most. */
function field(name: keyof ReturnType<typeof toPair>): SQL {
  return sql.raw(`j.value ->> '${name}'`);
}

/** Two posts are one pair whichever of them is called lost, for an author may change that: one row, one notice, ever. */
function upsertPairs({ startedAt, now }: Judgement, pairs: string, isUnchanged: SQL): SQL {
  const isTurned = sql`exists (select 1 from match_pairs r
    where r.lost_post_id = ${field('found')} and r.found_post_id = ${field('lost')})`;
  return sql`
    insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, created_at, judged_at)
    select ${field('id')}, iif(${isTurned}, ${field('found')}, ${field('lost')}),
      iif(${isTurned}, ${field('lost')}, ${field('found')}), ${field('score')}, ${field('reasons')}, ${now}, ${now}
    from json_each(${pairs}) j
    where ${isUnchanged} and exists (select 1 from posts o where o.id = ${field('other')} and o.is_found = 0)
    on conflict (lost_post_id, found_post_id) do update set
      score = excluded.score, reasons = excluded.reasons, judged_at = excluded.judged_at, is_current = 1
      where match_pairs.judged_at <= ${startedAt}`;
}

/**
 * Tells the author of the post that was there first of the other, which appeared or was changed later: whoever waited,
 * whichever of the two is matched last. Only a pair that is new has kept the id that it was given here.
 */
function insertNotices({ now }: Judgement, pairs: string): SQL {
  return sql`
    insert into notices (id, recipient_id, type, post_id, your_post_id, created_at)
    select m.id, first.author_id, 'matching_post', news.id, first.id, ${now}
    from json_each(${pairs}) j cross join match_pairs m on m.id = ${field('id')}
    cross join posts first on first.id in (m.lost_post_id, m.found_post_id)
    cross join posts news on news.id in (m.lost_post_id, m.found_post_id)
      and (news.changed_at, news.seq) > (first.changed_at, first.seq)
    where true on conflict (id) do nothing`;
}

/** The new text no longer matches these. Of the pairs that a job of the other post has judged meanwhile that job knows better. */
function lapsePairs({ post, matches, startedAt, now }: Judgement, isUnchanged: SQL): SQL {
  const current = JSON.stringify(matches.map(({ candidate }) => candidate.id));
  return sql`
    update match_pairs set is_current = 0, judged_at = ${now}
    where (lost_post_id = ${post.id} or found_post_id = ${post.id}) and judged_at <= ${startedAt} and ${isUnchanged}
      and lost_post_id not in (select value from json_each(${current}))
      and found_post_id not in (select value from json_each(${current}))`;
}
