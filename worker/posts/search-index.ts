import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { foldPhrase, quote, splitSearch, splitTrigrams } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

/** How many of a search's entries are compared: those that look rarest. */
const COMPARED_MAX = 3;
/** An entry's rarity is judged by the position of its n-th newest post. */
const COMPARED_AT = 10;
/** Letters by their frequency in Swahili and English; digits and other characters are rarer still. */
const FREQUENT_FIRST = 'aienktumosrhlwygbdpjfzvcqx';

/** An index, and the entries of the search words that look rarest, quoted as queries. */
export type Lookup = { index: 'posts_search' | 'posts_visitor_search'; entries: string[] };

/** The exclusive bounds of `seq` for a look into an index. */
export type Range = { after: SQL; before: SQL };

/**
 * An index has entries of three letters. Only the rarest entry of a search is looked up, and the words are then compared
 * with the texts: intersecting several entries would read as many rows as there are posts when each of them is common and
 * no post has them all.
 * @returns null when each word has fewer than three letters.
 */
export function lookupOf(
  viewer: Viewer | null,
  { search, place }: Pick<PostListQuery, 'search' | 'place'>,
): Lookup | null {
  const texts = [...splitSearch(search), foldPhrase(place)].filter((text) => text !== '');
  const entries = texts.flatMap(splitTrigrams);
  if (entries.length === 0) return null;
  const rarest = [...new Set(entries)].sort((a, b) => rarity(b) - rarity(a)).slice(0, COMPARED_MAX);
  return { index: viewer === null ? 'posts_visitor_search' : 'posts_search', entries: rarest.map(quote) };
}

function rarity(entry: string): number {
  return [...entry].reduce((sum, letter) => sum + (FREQUENT_FIRST.indexOf(letter) + 1 || FREQUENT_FIRST.length + 1), 0);
}

/** Selects the `seq` of the posts that have the rarest of the entries, newest first. */
export function selectLikely({ index, entries }: Lookup, range: Range): SQL {
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
  // D1 binds numbers as reals. The index can seek only to an integer: for a real it would scan from the newest post.
  return sql`
    select rowid as seq from ${table} where ${table} match ${entry}
      and rowid < cast(${before} as integer) and rowid > cast(${after} as integer) order by rowid desc`;
}
