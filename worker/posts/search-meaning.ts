import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { MatchReason, PostListQuery, SearchPart } from '#contract/posts.ts';
import { communityIdOf } from '#worker/conditions/communities.ts';
import { isShownTo } from '#worker/conditions/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import { readSearch } from '#worker/matching/read-search.ts';
import type { SearchedPart } from '#worker/matching/search-parts.ts';
import { isAskedFor, sinceSeq } from './newest-posts.ts';

/** At most this many posts are compared with a search. If more posts may fit, only the newest are compared. */
const COMPARED_MAX = 2_000;
const MOST = sql.raw(String(COMPARED_MAX));
/**
 * If several groups of terms have fewer than COMPARED_MAX posts, `selectLikely` compares the groups by their posts at
 * this position, counted from the newest post. The group whose post is the oldest is the rarest.
 */
const COMPARED_AT = 20;
/**
 * If the search finds at least this many posts by their words and meaning, posts with a related meaning are not shown.
 */
const ENOUGH = 10;
const NEAR_MAX = 20;
/**
 * In the search for a related meaning, this many of the newest posts are compared first. If those with the highest
 * possible score fill the places for posts with a related meaning, older posts are not compared.
 */
const COMPARED_FIRST = 400;
const FIRST = sql.raw(String(COMPARED_FIRST));
/** A penalty that is larger than any score, so a post with this penalty is excluded. */
const OUT = 1_000;

/**
 * How a term or word in a post relates to a requirement of the search (matching/search-parts.ts). `says`: the term has
 * the same meaning. `nearly`: the term has a related meaning. `word`: it is the searched word itself. `bars`: the term
 * contradicts the requirement, such as another colour.
 */
const ROLES = { says: 0, nearly: 1, word: 2, bars: 3 } as const;

/** Condition: the post of `m`, a row of `search_meanings`, contains the term or word of `y`, a row of `sayings`. */
const HOLDS = sql.raw(`instr(iif(y.role = ${ROLES.word}, m.words, m.terms), y.term) > 0`);

/**
 * Where the previous page ended: its last post, the part of the list that contains this post, and how many posts all
 * pages so far contain. `near` counts the posts with a related meaning, and `found` all others.
 */
export type SearchPosition = { part: SearchPart; score: number; seq: number; found: number; near: number };

export type MeaningSearch = { parts: SearchedPart[]; groups: string[][]; nearGroups: string[][] };

/** Reads what a search means. @returns null if the search finds posts only by their words. */
export function readMeaning({ search, exact }: PostListQuery): MeaningSearch | null {
  const parts = exact === undefined ? readSearch(search) : null;
  if (parts === null) return null;
  const termsOf = ({ sayings }: SearchedPart, isNear: boolean) =>
    sayings.filter((saying) => !saying.isWord && (isNear || !saying.isNear)).map(({ term }) => term);
  const things = parts.filter(({ isThing }) => isThing);
  const groups = (of: SearchedPart[], isNear: boolean) =>
    of.map((part) => termsOf(part, isNear)).filter((terms) => terms.length > 0);
  const needed = groups(
    parts.filter((part) => part.isNeeded && !hasWord(part)),
    false,
  );
  if (needed.length === 0) return null;
  return {
    parts,
    groups: needed,
    nearGroups:
      things.length === 0
        ? []
        : [
            things.flatMap((part) => termsOf(part, true)),
            ...groups(
              parts.filter(({ isNeededNear }) => isNeededNear),
              true,
            ),
          ],
  };
}

function hasWord({ sayings }: SearchedPart): boolean {
  return sayings.some(({ isWord }) => isWord);
}

function hasOnlyWords({ sayings }: SearchedPart): boolean {
  return sayings.every(({ isWord }) => isWord);
}

/**
 * The result of `HITS`: index pairs `[part, saying]`. Each pair names a requirement of the search and the way in which
 * the post meets this requirement.
 */
const hitsSchema = z.array(z.tuple([z.number(), z.number()]));

/**
 * Returns why the search found a post: one reason for each requirement of the search that the post meets. If the post
 * meets a requirement in several ways, the reason names the way that is closest in meaning.
 */
export function reasonsOf({ parts }: MeaningSearch, hits: string): MatchReason[] {
  const said = new Map<number, number>();
  for (const [part, index] of hitsSchema.parse(JSON.parse(hits))) {
    const isCloser = parts[part]?.sayings[said.get(part) ?? -1]?.isNear && !parts[part]?.sayings[index]?.isNear;
    if (!said.has(part) || isCloser) said.set(part, index);
  }
  const reasons = [...said]
    .sort(([a], [b]) => a - b)
    .flatMap(([part, index]) => {
      const reason = parts[part]?.sayings[index]?.reason;
      return reason === undefined ? [] : wordReason(reason);
    });
  return reasons.filter((reason, at) => reasons.findIndex(({ en, sw }) => en === reason.en && sw === reason.sw) === at);
}

type Page = {
  viewer: Viewer | null;
  query: PostListQuery;
  position: SearchPosition | null;
  /** Condition on the post `p`, with a leading `and`: the post matches the filters on its text, such as the place. */
  isInPlace: SQL;
  /** Condition on the post `p`: the list already contains the post, because the post contains the searched words. */
  isFoundByWords: SQL;
};

/**
 * Tables for a `with` clause, to place after the tables `words` and `stop`. `meaning (seq)` contains the posts with the
 * search's meaning, and `near (seq, score)` the posts with a related meaning. Each contains at most one post more than
 * fits on the page. Each reads a subquery that is already in order, so that SQLite stops when the page is full.
 * SQLite copies the definition of a table to each place that names the table. A table is therefore named in as few
 * places as possible: otherwise preparing the statement takes longer than searching (`npm run bench:scale`).
 */
export function withMeaning(search: MeaningSearch, page: Page): SQL {
  const { viewer, query, position, isInPlace, isFoundByWords } = page;
  const { parts } = search;
  const tables = tabulate(search);
  // A statement may bind at most a hundred values, so the viewer's id is bound only once, in the table `me`.
  const isListed = sql`${isShownTo('p', viewer && sql`(select id from me)`)} ${isAskedFor('p', query)} ${isInPlace} and not ${isFoundByWords}`;
  const says = (roles: readonly number[]) => sql`exists (
    select 1 from sayings y where y.part = k.part and y.role in (${sql.raw(roles.join(', '))})
      and ${HOLDS})`;
  const isBarred = sql`(${says([ROLES.bars])} and not ${says([ROLES.says, ROLES.nearly, ROLES.word])})`;
  const means = sql`not exists (
    select 1 from parts k where (k.is_needed and not ${says([ROLES.says, ROLES.word])}) or ${isBarred})`;
  // How many requirements of the search the post meets. The sum is far below 0 if the post contradicts a requirement,
  // or does not meet a necessary requirement.
  const score = sql`(
    select sum(case when ${says([ROLES.says, ROLES.nearly, ROLES.word])} then 1
      when k.is_needed_near or ${says([ROLES.bars])} then ${sql.raw(String(-OUT))} else 0 end)
    from parts k)`;
  const saysThing = sql`exists (select 1 from parts k where k.is_thing and ${says([ROLES.says, ROLES.nearly])})`;
  const isAnyWordSaid = sql`exists (
    select 1 from likely_near l cross join search_meanings m on m.post_seq = l.seq cross join sayings y
    where y.role = ${sql.raw(String(ROLES.word))} and ${HOLDS})`;
  const countOf = (items: SearchedPart[]) => sql.raw(String(items.length));
  const wordsAlone = parts.filter(hasOnlyWords);
  // The highest score that a post can have: one point for each requirement. If no post in `likely_near` contains a
  // searched word, the requirements that only a word can meet do not count.
  const best =
    wordsAlone.length === 0
      ? countOf(parts)
      : sql`(${countOf(parts)} - iif(${isAnyWordSaid}, 0, ${countOf(wordsAlone)}))`;
  const after = position?.part;
  const seqBefore = after === 'meaning' ? position?.seq : Number.MAX_SAFE_INTEGER;
  const nearRoom = NEAR_MAX - (position?.near ?? 0);
  const isNearAfter =
    after === 'near'
      ? sql`and (v.score < ${position?.score} or (v.score = ${position?.score} and v.seq < ${position?.seq}))`
      : sql``;
  return sql`,
    me as materialized (select ${viewer?.userId ?? null} as id),
    parts as materialized (
      select value ->> 0 as part, value ->> 1 as is_needed, value ->> 2 as is_needed_near, value ->> 3 as is_thing
      from json_each(${tables.parts})),
    sayings as materialized (
      select value ->> 0 as part, value ->> 1 as role, value ->> 2 as term, value ->> 3 as nth from json_each(${tables.sayings})),
    scopes as materialized (${selectScopes(viewer, query)}),
    room as materialized (
      select iif(floor > 0, 0, max(0, ${query.limit + 1} - (select count(*) from words))) as places from stop),
    likely as materialized (${selectLikely(search.groups, sql`(select places from room) > 0 and ${after !== 'near' ? 1 : 0}`)}),
    meaning as materialized (
      select v.seq
      from (select seq from likely where seq < ${seqBefore} and seq > ${sinceSeq(query)} order by seq desc limit ${MOST}) v
        cross join search_meanings m on m.post_seq = v.seq cross join posts p on p.seq = v.seq
      where ${means} and ${isListed} limit (select places from room)),
    counts as materialized (
      select places, (select count(*) from words) as found, (select count(*) from meaning) as meant from room),
    near_room as materialized (
      select iif(places > meant and ${position?.found ?? 0} + found + meant < ${ENOUGH},
        min(places - meant, ${nearRoom}), 0) as places from counts),
    likely_near as materialized (${selectLikely(search.nearGroups, sql`(select places from near_room) > 0`)}),
    scored as materialized (
      select l.seq, ${score} as score, l.nth
      from (select seq, row_number() over (order by seq desc) as nth from likely_near) l
        cross join search_meanings m on m.post_seq = l.seq),
    near as materialized (
      select v.seq, v.score
      from (
        select l.seq, ${best} as score
        from (select seq from likely_near order by seq desc limit ${FIRST}) l
          cross join search_meanings m on m.post_seq = l.seq
        where ${score} = ${best}
        union all
        select * from (
          select seq, score from scored
          where score > 0 and (score < ${best} or nth > ${FIRST}) order by score desc, seq desc)
        limit ${MOST}) v
        cross join search_meanings m on m.post_seq = v.seq cross join posts p on p.seq = v.seq
      where v.seq > ${sinceSeq(query)} ${isNearAfter} and ${saysThing} and not (${means}) and ${isListed}
      limit (select places from near_room))`;
}

/** Expression for `select`: which requirements of the search the post `p` meets, and how, as JSON for `reasonsOf`. */
export const HITS = sql`(
  select json_group_array(json_array(y.part, y.nth)) from sayings y cross join search_meanings m
  where m.post_seq = p.seq and y.role <> ${sql.raw(String(ROLES.bars))}
    and ${HOLDS})`;

/**
 * Returns, as JSON, the requirements of the search and the ways to meet or contradict them. Each term has the form that
 * it has in `search_meanings.terms`, a JSON array.
 */
function tabulate({ parts }: MeaningSearch): { parts: string; sayings: string } {
  // Few posts contain a word that the lexicon does not know. A requirement with such a word comes first, because it
  // excludes most posts early.
  const wordsFirst = parts
    .map((part, index) => ({ ...part, index }))
    .sort((one, other) => Number(hasWord(other)) - Number(hasWord(one)));
  return {
    parts: JSON.stringify(
      wordsFirst.map(({ index, isNeeded, isNeededNear, isThing }) =>
        [index, isNeeded, isNeededNear, isThing].map(Number),
      ),
    ),
    sayings: JSON.stringify(
      parts.flatMap(({ sayings, bars }, part) => [
        ...sayings.map(({ term, isNear, isWord }, nth) =>
          isWord
            ? [part, ROLES.word, term, nth]
            : [part, isNear ? ROLES.nearly : ROLES.says, JSON.stringify(term), nth],
        ),
        ...bars.map((term) => [part, ROLES.bars, JSON.stringify(term), 0]),
      ]),
    ),
  };
}

/**
 * Selects the ids of the communities to search: the query's community or, without one, the viewer's communities and an
 * empty id, which stands for the public posts.
 */
function selectScopes(viewer: Viewer | null, query: PostListQuery): SQL {
  if (query.community_code !== null) return sql`select id from ${communityIdOf(query.community_code)}`;
  const open = sql`select '' as id`;
  return viewer
    ? sql`${open} union all select community_id from memberships where user_id = (select id from me)`
    : open;
}

/**
 * Selects, as `seq`, the newest posts that have a term of the rarest group. Each group contains the terms that meet one
 * requirement of the search, so every post that fits the search has a term of every group. The rarest group is the one
 * whose COMPARED_MAX-th newest post is the oldest, or is missing. If this post is missing or the same in several
 * groups, their posts at position COMPARED_AT are compared in the same way.
 */
function selectLikely(groups: string[][], condition: SQL): SQL {
  const nth = (at: number) => sql`(
    select max(coalesce((
      select n.post_seq from search_terms n where n.scope = s.id and n.term = t.value
      order by n.post_seq desc limit 1 offset ${sql.raw(String(at))}), 0))
    from scopes s cross join json_each(g.value) t)`;
  const rarest =
    groups.length === 1
      ? sql`${JSON.stringify(groups[0])}`
      : sql`(select g.value from json_each(${JSON.stringify(groups)}) g
          order by ${nth(COMPARED_MAX - 1)}, ${nth(COMPARED_AT)} limit 1)`;
  return sql`
    select distinct i.value as seq from (select ${rarest} as terms where ${condition}) r
      cross join scopes s cross join json_each(r.terms) t cross join json_each((
        select json_group_array(post_seq) from (
          select n.post_seq from search_terms n where n.scope = s.id and n.term = t.value
          order by n.post_seq desc limit ${MOST}))) i
    order by seq desc limit ${MOST}`;
}
