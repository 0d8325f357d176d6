import { type SQL, sql } from 'drizzle-orm';
import { isMember } from '#worker/communities/index.ts';
import type { Db, Query } from '#worker/db/client.ts';
import { nextTry } from '#worker/db/next-try.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { FROM_POSTS, isOpen, isShownTo, STORED_COLUMNS, type StoredPost, storedPostRow } from '#worker/posts/index.ts';
import { valuesOf } from './competition.ts';
import { identifierTerm } from './identifier-store.ts';
import { indexTerms, lookupTerms } from './index-terms.ts';
import { type CandidateRow, candidateRow, type MatchableRow, matchableRow, otherKind } from './match-types.ts';
import { encodeReading, readingVersion } from './reading/encode-reading.ts';
import type { PostReading } from './reading/read-post.ts';

/** How many of the newest posts one term may bring, so that a lookup costs the same among a million posts. */
export const NEWEST_PER_TERM = 100;
/** How many candidates are judged: those that share the most terms, the newest first among equals. */
export const CANDIDATES_MAX = 150;

/**
 * How often the sweep begins to read or match a post. One whose text takes the Worker's whole processor time ends every
 * sweep that reads it.
 */
export const TRIES_MAX = 8;

/** What is asked of the post that candidates are looked for. */
export type Asking = Pick<StoredPost, 'id' | 'author_id' | 'community_id' | 'posted_by'>;

/** The post, if it is open and waits to be matched. */
export async function readPending(db: Db, postId: string): Promise<MatchableRow | undefined> {
  const [row] = await queryRows(db, matchableRow)`
    select ${STORED_COLUMNS}, p.match_pending_since ${FROM_POSTS}
    where p.id = ${postId} and ${isOpen('p')} and p.match_pending_since is not null`;
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
      select seq from posts where match_pending_since < ${before} and match_failures < ${TRIES_MAX}
      order by match_pending_since limit 1)
    returning id`;
  return row?.id ?? null;
}

/** Takes the posts whose tries are used up off the list. Until their authors edit them nothing reads them again. */
export async function giveUp(db: Db, before: number): Promise<string[]> {
  const rows = await queryRows(db, idRow)`
    update posts set match_pending_since = null
    where match_pending_since < ${before} and match_failures >= ${TRIES_MAX} returning id`;
  return rows.map(({ id }) => id);
}

/** Stores what was read in the post, makes it findable for others, and ends the count of tries. */
export async function storeReading(db: Db, seq: number, reading: PostReading): Promise<void> {
  await db.repeatable.batch([
    ...keepReading(db, seq, reading),
    db.run(sql`update posts set match_failures = 0 where seq = ${seq} and match_failures > 0`),
  ]);
}

/**
 * Stores what was read in the post, then looks for others, in one round trip. In this order: of two posts saved at once,
 * one then sees the other.
 */
export async function storeAndFind(db: Db, post: Asking & { seq: number }, reading: PostReading) {
  const [, , , , candidates] = await db.repeatable.batch([
    ...keepReading(db, post.seq, reading),
    findCandidates(db, post, lookupTerms(reading)),
  ]);
  return candidates;
}

/** Statements, as `storeReading`. */
function keepReading(db: Db, seq: number, reading: PostReading) {
  const [terms, agreeable] = [JSON.stringify(indexTerms(reading)), JSON.stringify(valuesOf(reading))];
  return [
    db.run(sql`delete from match_terms where post_seq = ${seq}`),
    db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, t.value, p.seq from posts p, json_each(${terms}) t
      where p.seq = ${seq} and ${isOpen('p')}`),
    db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, ${identifierTerm(sql`i.value`)}, p.seq from posts p, json_each(p.identifiers) i
      where p.seq = ${seq} and ${isOpen('p')}`),
    db.run(sql`
      insert or replace into match_readings (post_seq, version, reading, agreeable)
      select p.seq, ${readingVersion()}, ${encodeReading(reading)}, ${agreeable} from posts p
      where p.seq = ${seq} and ${isOpen('p')}`),
  ] as const;
}

/**
 * Statement: open posts of the other kind and another person that stand under one of the terms, give one of the same identifiers, or
 * are told by a finder to be of one thing, where each author may see the other's post and neither has said that the two
 * are not the same. A post whose tries are used up is none, as reading it would end this post's matching, too.
 */
export function findCandidates(db: Db, post: Asking, terms: string[]): Query<CandidateRow> {
  return queryRows(db, candidateRow)`
    select ${STORED_COLUMNS}, r.reading, ${sharesIdentifier(post)} as shares_identifier, ${isNamed(post)} as is_named from (
      select seq from (${selectSharing(post, terms)} union all ${selectNamed(post)})
      group by seq order by max(is_certain) desc, sum(shared) desc, seq desc limit ${CANDIDATES_MAX}
    ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
      left join match_readings r on r.post_seq = p.seq and r.version = ${readingVersion()}
    where ${isOpen('p')} and p.posted_by = ${otherKind(post.posted_by)} and p.author_id <> ${post.author_id}
      and p.match_failures < ${TRIES_MAX}
      and ${isShownTo('p', sql`${post.author_id}`)}
      and (${post.community_id} is null or ${isMember(sql`${post.community_id}`, sql`p.author_id`)})
      and not exists (select 1 from match_pairs d where d.dismissed_at is not null and (
        (d.lost_post_id = p.id and d.found_post_id = ${post.id})
        or (d.lost_post_id = ${post.id} and d.found_post_id = p.id)))`;
}

/** The newest posts under each term. A shared identifier makes a pair by itself, however few terms there are beside it. */
function selectSharing(post: Asking, terms: string[]): SQL {
  return sql`
    select m.value as seq, count(*) as shared, max(t.is_certain) as is_certain
    from (
      select value as term, 0 as is_certain from json_each(${JSON.stringify(terms)})
      union all
      select ${identifierTerm(sql`i.value`)}, 1 from posts a, json_each(a.identifiers) i where a.id = ${post.id}
    ) t cross join json_each((select json_group_array(post_seq) from (
      select n.post_seq from match_terms n where n.posted_by = ${otherKind(post.posted_by)} and n.term = t.term
      order by n.post_seq desc limit ${NEWEST_PER_TERM}))) m
    group by m.value`;
}

/** The lost post that this one answers, or the newest that answer this one. */
function selectNamed({ id, posted_by }: Asking): SQL {
  if (posted_by === 'finder')
    return sql`select l.seq, 0, 1 from posts a join posts l on l.id = a.answers_post_id where a.id = ${id}`;
  return sql`
    select * from (
      select f.seq, 0, 1 from posts f where f.answers_post_id = ${id} order by f.seq desc limit ${NEWEST_PER_TERM})`;
}

/** Expression on the other post `p`: its finder, or this one's, says that the two are of one thing. */
function isNamed({ id, posted_by }: Asking): SQL {
  const named = posted_by === 'finder' ? sql`(select a.answers_post_id from posts a where a.id = ${id})` : sql`${id}`;
  return posted_by === 'finder' ? sql`(p.id is ${named})` : sql`(p.answers_post_id is ${named})`;
}

/** Expression on the other post `p`: one identifier stands in both. */
function sharesIdentifier({ id }: Asking): SQL {
  return sql`exists (
    select 1 from posts a, json_each(a.identifiers) x, json_each(p.identifiers) y where a.id = ${id} and x.value = y.value)`;
}

/** Takes the open post that has the oldest reading of another version, and counts the try before it is made. */
export async function claimOutdated(db: Db): Promise<StoredPost | undefined> {
  const oldest = sql`(
    select r.post_seq from match_readings r join posts o on o.seq = r.post_seq
    where r.version <> ${readingVersion()} and ${isOpen('o')} and o.match_failures < ${TRIES_MAX}
    order by r.version, r.post_seq limit 1)`;
  const [[post]] = await db.batch([
    queryRows(db, storedPostRow)`select ${STORED_COLUMNS} ${FROM_POSTS} where p.seq = ${oldest}`,
    db.run(sql`update posts set match_failures = match_failures + 1 where seq = ${oldest}`),
  ]);
  return post;
}
