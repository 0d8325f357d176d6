import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { communityIdOf } from '#worker/conditions/communities.ts';
import { idOf } from '#worker/conditions/people.ts';
import { isNotHiddenFrom, isShownTo, isThere } from '#worker/conditions/posts.ts';
import { containsAll, foldPhrase, quote, splitSearch, splitTrigrams } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { cursorSeq, isAskedFor, type Search, selectNewest, sinceSeq, WINDOW } from './newest-posts.ts';

/**
 * How many posts a search reads for one page of results, to compare their texts with the searched words. The limit is
 * low, because each post is read from a different place on the disk.
 */
const COMPARED_MAX = 1_000;

/**
 * To learn whether a page of N posts is full, `floorAlone` (a field of `Search`) reads only N × FULL_WITHIN posts. If
 * the searched words are common, enough of these posts contain the words to fill the page.
 */
const FULL_WITHIN = 3;

/** Whether the filters of the list require a search in the posts' texts. */
export function isSearch({ search, place }: PostListQuery): boolean {
  return splitSearch(search).length > 0 || foldPhrase(place) !== '';
}

/**
 * Chooses how to search. A community's posts are compared one by one. For other posts, the search uses the trigram
 * index. If all words are too short for the index, the search compares only the newest posts.
 */
export function buildSearch(viewer: Viewer | null, query: PostListQuery): Search {
  if (query.community_code !== null) return searchCommunity(viewer, query, query.community_code);
  const lookup = lookupOf(viewer, query);
  return lookup ? searchIndex(viewer, query, lookup) : searchNewest(viewer, query);
}

/** Condition on the post `p`: the search by words finds the post, on this page of results or on another page. */
export function isFoundByWords(viewer: Viewer | null, query: PostListQuery): SQL {
  const isLookedUp = query.community_code !== null || lookupOf(viewer, query) !== null;
  if (isLookedUp) return holdsWords(viewer, query);
  const newest = selectNewest(viewer, COMPARED_MAX, query.since);
  return sql`(p.seq >= (select min(seq) from (${newest})) and ${holdsWords(viewer, query)})`;
}

/** Condition: the post's text, as the viewer may see it, contains every searched word. */
function holdsWords(viewer: Viewer | null, { search }: PostListQuery): SQL {
  return containsAll(textFor(viewer), splitSearch(search));
}

/** Expression: the post's text as the viewer may see it. The search looks for words in this text. */
function textFor(viewer: Viewer | null): SQL {
  if (viewer === null) return sql.raw('p.visitor_text');
  return sql`iif(p.author_id = ${viewer.userId}, p.search_text, coalesce(p.reader_text, p.search_text))`;
}

/**
 * Condition with a leading `and`: the post's location contains the place. The location is the third line of the text.
 */
export function isAtPlace(viewer: Viewer | null, { place }: PostListQuery): SQL {
  const phrase = foldPhrase(place);
  if (phrase === '') return sql``;
  const rest = (text: SQL) => sql`(select substr(t, instr(t, char(10)) + 1) as t from ${text})`;
  const location = sql`(select substr(t, 1, instr(t, char(10)) - 1) from ${rest(rest(sql`(select ${textFor(viewer)} as t)`))})`;
  return sql`and instr(${location}, ${phrase}) > 0`;
}

/**
 * Searches with the trigram index. The posts from the index are filtered, because the index ignores the side and the
 * community, and a post may lack one of the words.
 */
function searchIndex(viewer: Viewer | null, query: PostListQuery, lookup: Lookup): Search {
  const since = sinceSeq(query);
  const likely = selectLikely(lookup, { after: since, before: sql`${cursorSeq(query.cursor)}` });
  const seqsAmong = (most: number) => sql`
    select s.seq from (${likely} limit ${most}) s cross join posts p on p.seq = s.seq
    where ${isShownTo('p', viewer && idOf(viewer))} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${holdsWords(viewer, query)}
    order by s.seq desc limit ${query.limit + 1}`;
  // After a full page, the next page begins after the last post of the full page. The `seq` at which the search stopped
  // is then not needed, and not looked up. `likely` ends at `since`, so older posts are not examined.
  const floorAfter = (found: SQL) => sql`
    iif((select count(*) from ${found}) > ${query.limit}, 0, coalesce((${likely} limit 1 offset ${COMPARED_MAX}), 0))`;
  return {
    seqs: seqsAmong(COMPARED_MAX),
    floor: floorAfter(sql`words`),
    floorAlone: floorAfter(sql`(${seqsAmong(query.limit * FULL_WITHIN)})`),
  };
}

/**
 * Searches for words of one or two letters. The trigram index does not contain such words, so only the newest posts are
 * searched.
 */
function searchNewest(viewer: Viewer | null, query: PostListQuery): Search {
  const seqs = sql`
    select s.seq from (${selectNewest(viewer, COMPARED_MAX, query.since)}) s cross join posts p on p.seq = s.seq
    where s.seq < ${cursorSeq(query.cursor)} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${holdsWords(viewer, query)}
    order by s.seq desc limit ${query.limit + 1}`;
  return { seqs, floor: sql`0` };
}

/** Selects the `seq` of the newest posts that contain all of the words. Only for viewers who see posts unredacted. */
export function selectSaying(viewer: Viewer, words: string, most: number): SQL {
  const lookup = lookupOf(viewer, { search: words, place: '' });
  const likely = lookup
    ? selectLikely(lookup, { after: sql`0`, before: sql`${Number.MAX_SAFE_INTEGER}` })
    : sql`select seq from posts order by seq desc`;
  return sql`
    select s.seq from (${likely} limit ${COMPARED_MAX}) s cross join posts p on p.seq = s.seq
    where ${containsAll(sql.raw('p.search_text'), splitSearch(words))} order by s.seq desc limit ${most}`;
}

/**
 * Searches a community's posts one by one. The index contains the posts of all communities, so a word that is common in
 * other communities would make the search slow.
 */
function searchCommunity(viewer: Viewer | null, query: PostListQuery, code: string): Search {
  const community = communityIdOf(code);
  const before = cursorSeq(query.cursor);
  const floor = sql`coalesce((
    select seq from posts where community_id = ${community} and seq < ${before} and seq > ${sinceSeq(query)}
    order by seq desc limit 1 offset ${WINDOW}), 0)`;
  const seqs = sql`
    select p.seq from posts p
    where p.community_id = ${community} and p.seq < ${before} and p.seq > max(${floor}, ${sinceSeq(query)})
      ${isAskedFor('p', query)} ${isAtPlace(viewer, query)} and ${isThere('p')} and ${isNotHiddenFrom('p', viewer && idOf(viewer))}
      and ${holdsWords(viewer, query)}
    order by p.seq desc limit ${query.limit + 1}`;
  return { seqs, floor };
}

/** The search chooses this many trigrams with the rarest letters. The index shows which of them is the rarest. */
const COMPARED_ENTRIES_MAX = 3;
/**
 * To compare how rare the trigrams are, the search lists each trigram's posts, newest first, and looks at the post at
 * this position. The older this post is, the rarer is the trigram.
 */
const COMPARED_AT = 10;
/** Letters by their frequency in Swahili and English; digits and other characters are rarer still. */
const FREQUENT_FIRST = 'aienktumosrhlwygbdpjfzvcqx';

/** The index to use, and those trigrams of the searched words that are probably the rarest, quoted for the query. */
type Lookup = { index: 'posts_search' | 'posts_visitor_search'; entries: string[] };

/** The bounds of `seq` for a look-up in an index. Both are exclusive. */
type Range = { after: SQL; before: SQL };

/**
 * Chooses the trigrams with the rarest letters. The search looks up the rarest of these trigrams in the index, then
 * checks which of the posts with this trigram contain the searched words. A look-up of several common trigrams could
 * read as many rows as there are posts.
 * @returns null if each word has fewer than three letters.
 */
export function lookupOf(
  viewer: Viewer | null,
  { search, place }: Pick<PostListQuery, 'search' | 'place'>,
): Lookup | null {
  const texts = [...splitSearch(search), foldPhrase(place)].filter((text) => text !== '');
  const entries = texts.flatMap(splitTrigrams);
  if (entries.length === 0) return null;
  const rarest = [...new Set(entries)].sort((a, b) => rarity(b) - rarity(a)).slice(0, COMPARED_ENTRIES_MAX);
  return { index: viewer === null ? 'posts_visitor_search' : 'posts_search', entries: rarest.map(quote) };
}

function rarity(entry: string): number {
  return [...entry].reduce((sum, letter) => sum + (FREQUENT_FIRST.indexOf(letter) + 1 || FREQUENT_FIRST.length + 1), 0);
}

/** Selects the `seq` of the posts that contain the rarest of the trigrams, newest first. */
function selectLikely({ index, entries }: Lookup, range: Range): SQL {
  const [first, ...others] = entries;
  if (others.length === 0) return selectWith(index, sql`${first}`, range);
  const nth = sql`${selectWith(index, sql`e.value`, range)} limit 1 offset ${COMPARED_AT}`;
  // With min() SQLite returns the other columns of the row that has the minimum.
  const rarest = sql`(
    select value from (select e.value, min(coalesce((${nth}), 0)) from json_each(${JSON.stringify(entries)}) e))`;
  return selectWith(index, rarest, range);
}

function selectWith(index: Lookup['index'], entry: SQL, { after, before }: Range): SQL {
  const table = sql.raw(index);
  // D1 binds numbers as floats. With a float, SQLite would scan the index from the newest post; with an integer it
  // starts at the right row.
  return sql`
    select rowid as seq from ${table} where ${table} match ${entry}
      and rowid < cast(${before} as integer) and rowid > cast(${after} as integer) order by rowid desc`;
}
