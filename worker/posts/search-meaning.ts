import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { MatchReason, PostListQuery, SearchPart } from '#contract/posts.ts';
import { isShownTo } from '#worker/conditions/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import { readSearch, type SearchedPart } from '#worker/matching/read-search.ts';
import { communityIdOf, isAskedFor, sinceSeq } from './newest-posts.ts';

/** How many of the newest posts of a search's rarest term are compared with it. */
const COMPARED_MAX = 2_000;
const MOST = sql.raw(String(COMPARED_MAX));
/** By the position of their n-th newest post are terms compared that have fewer. */
const COMPARED_AT = 20;
/** From so many posts found by words and meaning on, none that are only near are shown. */
const ENOUGH = 10;
const NEAR_MAX = 20;
/** More than a search has parts. */
const OUT = 1_000;

/** What a saying is to a part of the search: it says it, says it nearly, is a word of the text, or excludes it. */
const ROLES = { says: 0, nearly: 1, word: 2, bars: 3 } as const;

/** Condition: the post with the meaning `m` has what the saying `y` is. */
const HOLDS = sql.raw(`instr(iif(y.role = ${ROLES.word}, m.words, m.terms), y.term) > 0`);

/** How many were found before the page, and after which post it begins in its part. */
export type SearchPosition = { part: SearchPart; score: number; seq: number; found: number; near: number };

export type MeaningSearch = { parts: SearchedPart[]; groups: string[][]; nearGroups: string[][] };

/** Reads what a search means. @returns null if it is only searched by its words. */
export function readMeaning({ search, exact }: PostListQuery): MeaningSearch | null {
  const read = exact === undefined ? readSearch(search) : null;
  if (read === null) return null;
  // Few posts have a word that no list knows, so it is compared first.
  const parts = read.toSorted((one, other) => Number(hasWord(other)) - Number(hasWord(one)));
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

/** Of a row of a search: which sayings of which parts the post says, as `[part, saying]`. */
const hitsSchema = z.array(z.tuple([z.number(), z.number()]));

/** The reasons of a post that is found by meaning, or nearly: what it says of each part. */
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
  /** Condition on the post `p`, with a leading `and`: the filters that need its text. */
  isInPlace: SQL;
  /** Condition on the post `p`: words find it. */
  isFoundByWords: SQL;
};

/**
 * For `with`, after the tables `words` and `stop`: the posts that mean the search as `meaning (seq)`, and those that are
 * near it as `near (seq, score)`, up to one more than the page has room for. Both read a subquery in its order, and no
 * further than there is room: with an order of their own they would compare all of its posts.
 */
export function withMeaning(search: MeaningSearch, page: Page): SQL {
  const { viewer, query, position, isInPlace, isFoundByWords } = page;
  const { parts, sayings } = tabulate(search);
  // A statement may bind a hundred values: the viewer is bound once.
  const isListed = sql`${isShownTo('p', viewer && sql`(select id from me)`)} ${isAskedFor('p', query)} ${isInPlace} and not ${isFoundByWords}`;
  const says = (roles: readonly number[]) => sql`exists (
    select 1 from sayings y where y.part = k.part and y.role in (${sql.raw(roles.join(', '))})
      and ${HOLDS})`;
  const isBarred = sql`(${says([ROLES.bars])} and not ${says([ROLES.says, ROLES.nearly, ROLES.word])})`;
  const means = sql`not exists (
    select 1 from parts k where (k.is_needed and not ${says([ROLES.says, ROLES.word])}) or ${isBarred})`;
  // How many parts the post says; far below 0 if it contradicts one, or does not say one that it must.
  const score = sql`(
    select sum(case when ${says([ROLES.says, ROLES.nearly, ROLES.word])} then 1
      when k.is_needed_near or ${says([ROLES.bars])} then ${sql.raw(String(-OUT))} else 0 end)
    from parts k)`;
  const saysThing = sql`exists (select 1 from parts k where k.is_thing and ${says([ROLES.says, ROLES.nearly])})`;
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
      select key as part, value ->> 0 as is_needed, value ->> 1 as is_needed_near, value ->> 2 as is_thing
      from json_each(${parts})),
    sayings as materialized (
      select value ->> 0 as part, value ->> 1 as role, value ->> 2 as term, value ->> 3 as nth from json_each(${sayings})),
    scopes as materialized (${selectScopes(viewer, query)}),
    room as materialized (
      select iif(floor > 0, 0, max(0, ${query.limit + 1} - (select count(*) from words))) as places from stop),
    likely as materialized (${selectLikely(search.groups, sql`(select places from room) > 0 and ${after !== 'near' ? 1 : 0}`)}),
    meaning as materialized (
      select v.seq
      from (select seq from likely where seq < ${seqBefore} and seq > ${sinceSeq(query)} order by seq desc limit ${MOST}) v
        cross join search_meanings m on m.post_seq = v.seq cross join posts p on p.seq = v.seq
      where ${means} and ${isListed} limit (select places from room)),
    near_room as materialized (
      select iif(places > (select count(*) from meaning)
        and ${position?.found ?? 0} + (select count(*) from words) + (select count(*) from meaning) < ${ENOUGH},
        min(places - (select count(*) from meaning), ${nearRoom}), 0) as places from room),
    likely_near as materialized (${selectLikely(search.nearGroups, sql`(select places from near_room) > 0`)}),
    scored as materialized (
      select l.seq, ${score} as score from likely_near l cross join search_meanings m on m.post_seq = l.seq),
    near as materialized (
      select v.seq, v.score
      from (select seq, score from scored v where score > 0 and seq > ${sinceSeq(query)} ${isNearAfter}
          order by score desc, seq desc limit ${MOST}) v
        cross join search_meanings m on m.post_seq = v.seq cross join posts p on p.seq = v.seq
      where ${saysThing} and not (${means}) and ${isListed} limit (select places from near_room))`;
}

/** For `select`: JSON of the sayings of the post `p`, as `reasonsOf` reads it. */
export const HITS = sql`(
  select json_group_array(json_array(y.part, y.nth)) from sayings y cross join search_meanings m
  where m.post_seq = p.seq and y.role <> ${sql.raw(String(ROLES.bars))}
    and ${HOLDS})`;

/** JSON of the parts, and of their sayings; a term as it is written in the JSON of terms. */
function tabulate({ parts }: MeaningSearch): { parts: string; sayings: string } {
  const flagOf = (is: boolean) => (is ? 1 : 0);
  return {
    parts: JSON.stringify(
      parts.map(({ isNeeded, isNeededNear, isThing }) => [isNeeded, isNeededNear, isThing].map(flagOf)),
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

/** Selects as `id` the scopes of search_terms that the list reads. */
function selectScopes(viewer: Viewer | null, query: PostListQuery): SQL {
  if (query.community_code !== null) return sql`select id from ${communityIdOf(query)}`;
  const open = sql`select '' as id`;
  return viewer
    ? sql`${open} union all select community_id from memberships where user_id = (select id from me)`
    : open;
}

/**
 * Selects as `seq` the newest posts of the rarest group of terms, of which a post has one at least. A group is the rarer,
 * the older its last post is that would be compared; if it has fewer, the older one of its newest.
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
