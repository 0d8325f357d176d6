import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR_MS } from '#contract/durations.ts';
import type { PostedBy } from '#contract/kinds.ts';
import { isMember } from '#worker/conditions/communities.ts';
import { isOpen, isShownTo } from '#worker/conditions/posts.ts';
import { batch, type Db, type Query } from '#worker/db/client.ts';
import { flag, queryFirst, queryRows, rowOf } from '#worker/db/statements.ts';
import { matchTerms, valueShares } from '#worker/db/tables/matching.ts';
import type { Competition } from '#worker/matching/judging/probability.ts';
import { widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import { placesAround } from '#worker/matching/reading/read-places.ts';
import { encodeReading, type PostReading, readingVersion, readPost } from '#worker/matching/reading/read-post.ts';
import { isMatchedAlike, redactTexts, STORED_COLUMNS, type StoredPost } from '#worker/posts/post-columns.ts';
import { redactFor } from '#worker/redaction/redact-for.ts';
import { indexTerms, lookupTerms } from './index-terms.ts';
import { type CandidateRow, candidateRow, otherKind } from './match-types.ts';
import { meaningOf } from './search-terms.ts';

/** How many of the newest posts are read for one term. The limit keeps a look-up among a million posts cheap. */
export const NEWEST_PER_TERM = 100;
/**
 * How many candidates are judged. Posts with the same identifier or connected by "I found this" come first, then those
 * that share the most terms; among equals, the newest.
 */
export const CANDIDATES_MAX = 150;

/**
 * How many times the scheduled sweep tries to analyse or match a post. A post whose text uses up the Worker's CPU time
 * ends every run of the sweep that analyses it, so the sweep must give up such a post.
 */
export const TRIES_MAX = 8;

/** The columns of a post that the look-up of its candidates needs. */
export type Asking = Pick<StoredPost, 'id' | 'author_id' | 'community_id' | 'posted_by'>;

/**
 * Stores the post's reading (what its text says), then looks up candidates, in one round trip. If two posts are saved
 * at the same time, the look-up that runs second finds the other post, because that post's reading is already stored.
 */
export async function storeAndFind(db: Db, post: StoredPost, reading: PostReading) {
  const { candidates } = await batch(db.repeatable, {
    reading: keepReading(db, post, reading),
    candidates: findCandidates(db, post, lookupTerms(reading)),
  });
  return candidates;
}

/** Statements: store the post's reading for searches and, if the post is open, for matching. */
export function keepReading(db: Db, post: StoredPost, reading: PostReading) {
  const { seq } = post;
  const [terms, agreeable] = [JSON.stringify(indexTerms(reading)), JSON.stringify(valuesOf(reading))];
  return {
    deleteTerms: db.delete(matchTerms).where(eq(matchTerms.postSeq, seq)),
    insertTerms: db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, t.value, p.seq from posts p, json_each(${terms}) t
      where p.seq = ${seq} and ${isOpen('p')}`),
    insertIdentifiers: db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, ${identifierTerm(sql`i.value`)}, p.seq from posts p, json_each(p.identifiers) i
      where p.seq = ${seq} and ${isOpen('p')}`),
    insertReading: db.run(sql`
      insert or replace into match_readings (post_seq, version, reading, agreeable)
      select p.seq, ${readingVersion()}, ${encodeReading(reading)}, ${agreeable} from posts p
      where p.seq = ${seq} and ${isOpen('p')}`),
    meaning: keepMeaning(db, post, reading),
  };
}

/**
 * Statements: store the terms by which searches find the post, unless its text has changed since it was analysed.
 * @param reading made from the post as its author sees it.
 */
function keepMeaning(db: Db, post: StoredPost, reading: PostReading) {
  const shown = { ...post, ...redactTexts(post, redactFor('visitor', post.kind)) };
  const isWhole = (['title', 'description', 'location', 'owner_first_name', 'owner_last_name'] as const).every(
    (field) => shown[field] === post[field],
  );
  const { terms, indexed, words } = meaningOf(shown, isWhole ? reading : readPost(shown));
  const stored = JSON.stringify(terms);
  return {
    updateMeaning: db.run(sql`
      update search_meanings set version = ${readingVersion()}, scope = ${post.community_id ?? ''}, terms = ${stored},
        words = ${words}
      where post_seq = ${post.seq} and exists (
        select 1 from posts where seq = ${post.seq} and kind = ${post.kind} and ${isMatchedAlike(post, post.community_id)})`),
    insertTerms: db.run(sql`
      insert or ignore into search_terms (scope, term, post_seq)
      select m.scope, t.value, m.post_seq from search_meanings m, json_each(${JSON.stringify(indexed)}) t
      where m.post_seq = ${post.seq} and m.terms = ${stored}`),
  };
}

/**
 * Statement: the open posts that may match the post. They are of the other side and by other authors. They share a term
 * or an identifier with the post, or one of the two posts answers the other ("I found this"). Each author may see the
 * other's post, and neither has dismissed the pair. Posts that have reached TRIES_MAX are omitted: analysing such a
 * post could use up the Worker's CPU time.
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

/** Selects the newest posts with each term of the post, and the newest posts with each identifier of the post. */
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

/**
 * Selects the posts that are connected with this post by "I found this". For a finder's post: the lost post that it
 * answers. For an owner's post: the newest posts that answer it.
 */
function selectNamed({ id, posted_by }: Asking): SQL {
  if (posted_by === 'finder')
    return sql`select l.seq, 0, 1 from posts a join posts l on l.id = a.answers_post_id where a.id = ${id}`;
  return sql`
    select * from (
      select f.seq, 0, 1 from posts f where f.answers_post_id = ${id} order by f.seq desc limit ${NEWEST_PER_TERM})`;
}

/** Expression on a candidate `p`: the candidate answers this post, or this post answers the candidate. */
function isNamed({ id, posted_by }: Asking): SQL {
  const named = posted_by === 'finder' ? sql`(select a.answers_post_id from posts a where a.id = ${id})` : sql`${id}`;
  return posted_by === 'finder' ? sql`(p.id is ${named})` : sql`(p.answers_post_id is ${named})`;
}

/** Expression on a candidate `p`: it has an identifier of this post. */
function sharesIdentifier({ id }: Asking): SQL {
  return sql`exists (
    select 1 from posts a, json_each(a.identifiers) x, json_each(p.identifiers) y where a.id = ${id} and x.value = y.value)`;
}

/** This many of the newest open posts are sampled to find out how common a value, such as a colour, is. */
const SAMPLED_POSTS = 2_000;
/** A value gets no row in `value_shares` if fewer posts have it. */
export const FEWEST_WITH_VALUE = 3;
/** The count of a side's open posts stops at this number, so that counting stays cheap. */
const MOST_COUNTED = 100_000;
const REFRESHED_EVERY_MS = HOUR_MS;
/**
 * The beginning of the names of two rows in `value_shares`: `open owner` and `open finder` count the open posts of each
 * side.
 */
const OPEN_POSTS = 'open ';

const dueRow = () => z.object({ is_due: flag() });

/**
 * Returns the things, colours, makes and places of a post as texts such as "colour red". The posts with each value are
 * counted to find out how common the value is.
 */
export function valuesOf({ heads, places }: PostReading): string[] {
  const things = heads.flatMap((head) => head.ids.flatMap(widerThings));
  return [
    ...new Set([
      ...things.map((id) => `thing ${id}`),
      ...heads.flatMap((head) => [...head.colours].map((id) => `colour ${id}`)),
      ...heads.flatMap((head) => [...head.brands].map((brand) => `brand ${brand}`)),
      ...[...places.said.flat(), ...places.named.flat()].flatMap(placesAround).map((id) => `place ${id}`),
    ]),
  ];
}

/** Reads how many open posts the side opposite to `postedBy` has, and how common the values are. */
export async function readCompetition(db: Db, postedBy: PostedBy, values: string[]): Promise<Competition> {
  const open = `${OPEN_POSTS}${otherKind(postedBy)}`;
  const rows = await queryRows(db, rowOf(valueShares, 'value', 'share'))`
    select value, share from value_shares
    where value in (select value from json_each(${JSON.stringify([open, ...values])}))`;
  const shares = new Map(rows.map(({ value, share }) => [value, share]));
  return { openPosts: shares.get(open) ?? 0, shareOf: (value) => shares.get(value) ?? null };
}

/** Once an hour, counts the open posts, and computes which share of the newest posts has each value. */
export async function refreshShares(db: Db, now: number): Promise<void> {
  const countOpen = (postedBy: PostedBy) => sql`
    insert into value_shares (value, share, refreshed_at)
    select ${`${OPEN_POSTS}${postedBy}`}, count(*), ${now}
    from (select 1 from posts p where ${isOpen('p')} and p.posted_by = ${postedBy} limit ${MOST_COUNTED})`;
  const due = await queryFirst(db, dueRow)`
    select not exists (select 1 from value_shares where refreshed_at > ${now - REFRESHED_EVERY_MS}) as is_due`;
  if (due?.is_due !== 1) return;
  await batch(db, {
    deleteValueShares: db.delete(valueShares),
    insertValueShares: db.run(sql`
      insert into value_shares (value, share, refreshed_at)
      select v.value, count(*) * 1.0 / (select count(*) from (select 1 from match_readings limit ${SAMPLED_POSTS})), ${now}
      from (select agreeable from match_readings order by post_seq desc limit ${SAMPLED_POSTS}) r, json_each(r.agreeable) v
      group by v.value having count(*) >= ${FEWEST_WITH_VALUE}`),
    countOwners: db.run(countOpen('owner')),
    countFinders: db.run(countOpen('finder')),
  });
}

/** Expression: the term under which posts with this identifier are stored. @param digest a value, or a column. */
export function identifierTerm(digest: SQL): SQL {
  return sql`'!' || ${digest}`;
}
