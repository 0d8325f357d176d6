import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { foldPhrase, splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, isAskedFor, type Search, sinceSeq, WINDOW } from './list-conditions.ts';
import { FROM_POSTS, POST_COLUMNS } from './post-columns.ts';
import { lookupOf, selectLikely } from './search-index.ts';
import { idOf, isNotHiddenFrom, isShownTo, isThere } from './visibility.ts';

/** How many likely posts one page of a search examines: each is a random access. */
const LIKELY_MAX = 1_000;

/** Whether a list needs a search of the texts. */
export function isSearch({ search, place }: PostListQuery): boolean {
  return splitSearch(search).length > 0 || foldPhrase(place) !== '';
}

/** Chooses how to search: a community's posts one by one, otherwise by the trigram index or the index of letters. */
export function buildSearch(viewer: Viewer | null, query: PostListQuery): Search {
  if (query.community_code !== null) return searchCommunity(viewer, query);
  const since = sinceSeq(query);
  const { rows, floor } =
    lookupOf(viewer, query).index === 'posts_letters'
      ? searchLetters(viewer, query)
      : searchIndex(viewer, query, { after: since, most: sql`${query.limit + 1}` });
  // Stops at posts older than `since`.
  return { rows, floor: sql`(select iif(f.floor > ${since}, f.floor, 0) from (select ${floor} as floor) f)` };
}

/** Condition: what the viewer may see of the post has every search word. */
function holdsWords(viewer: Viewer | null, { search }: PostListQuery): SQL {
  return containsAll(textFor(viewer), splitSearch(search));
}

/** Expression: the text that the viewer may find a post by. */
function textFor(viewer: Viewer | null): SQL {
  if (viewer === null) return sql.raw('p.visitor_text');
  return sql`iif(p.author_id = ${viewer.userId}, p.search_text, coalesce(p.reader_text, p.search_text))`;
}

/** Condition with a leading `and`: the location, the third line of the text, contains the place. */
function isAtPlace(viewer: Viewer | null, { place }: PostListQuery): SQL {
  const phrase = foldPhrase(place);
  if (phrase === '') return sql``;
  const rest = (text: SQL) => sql`(select substr(t, instr(t, char(10)) + 1) as t from ${text})`;
  const location = sql`(select substr(t, 1, instr(t, char(10)) - 1) from ${rest(rest(sql`(select ${textFor(viewer)} as t)`))})`;
  return sql`and instr(${location}, ${phrase}) > 0`;
}

/**
 * Filters what the index finds, which may be of another kind, or in a community, or lack a word.
 * @param after the exclusive lower bound of `seq`.
 * @param most how many posts to return; 0, which costs nothing, if the texts are searched instead.
 */
function searchIndex(viewer: Viewer | null, query: PostListQuery, { after, most }: { after: SQL; most: SQL }): Search {
  const likely = selectLikely(lookupOf(viewer, query), { after, before: sql`${cursorSeq(query.cursor)}` });
  const page = sql`
    from (${likely} limit ${LIKELY_MAX}) s cross join posts p on p.seq = s.seq
    left join communities c on c.id = p.community_id
    where ${isShownTo('p', viewer && idOf(viewer))} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${holdsWords(viewer, query)}
    order by s.seq desc limit ${most}`;
  return {
    rows: sql`select ${POST_COLUMNS} ${page}`,
    // After a full page the next one begins at its last post.
    floor: sql`case when (select count(*) from (select 1 ${page})) > ${query.limit} then 0
      else coalesce((${likely} limit 1 offset ${LIKELY_MAX}), ${after}) end`,
  };
}

/** Uses the index where it covers the newest posts; further down, where the sweep has not filled it yet, reads the texts. */
function searchLetters(viewer: Viewer | null, query: PostListQuery): Search {
  const since = sinceSeq(query);
  const gap = sql`coalesce((select max(seq) from posts where search_version = 0), 0)`;
  const end = sql`(min(${cursorSeq(query.cursor)} - 1, coalesce((select max(seq) from posts), 0)) - ${WINDOW})`;
  const isAsked = sql`(${gap} = 0 or ${gap} <= ${end})`;
  const most = sql`iif(${isAsked}, ${query.limit + 1}, 0)`;
  const index = searchIndex(viewer, query, { after: sql`max(${gap}, ${since})`, most });
  const texts = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.seq < ${cursorSeq(query.cursor)} and p.seq > max(${end}, ${since}) ${isAskedFor('p', query)}
      ${isAtPlace(viewer, query)} and ${isShownTo('p', viewer && idOf(viewer))} and ${holdsWords(viewer, query)}
    order by p.seq desc limit ${query.limit + 1} - ${most}`;
  return {
    rows: sql`select * from (select * from (${index.rows}) union all select * from (${texts})) order by seq desc`,
    floor: sql`iif(${isAsked}, ${index.floor}, ${end})`,
  };
}

/** Selects the `seq` of the newest posts that contain all of the words, for viewers who see posts unredacted. */
export function selectSaying(viewer: Viewer, words: string, most: number): SQL {
  const likely = selectLikely(lookupOf(viewer, { search: words, place: '' }), {
    after: sql`0`,
    before: sql`${Number.MAX_SAFE_INTEGER}`,
  });
  return sql`
    select s.seq from (${likely} limit ${LIKELY_MAX}) s cross join posts p on p.seq = s.seq
    where ${containsAll(sql.raw('p.search_text'), splitSearch(words))} order by s.seq desc limit ${most}`;
}

/** Does not use the index, which covers all communities: a word that is common elsewhere would be expensive. */
function searchCommunity(viewer: Viewer | null, query: PostListQuery): Search {
  const community = communityIdOf(query);
  const before = cursorSeq(query.cursor);
  const floor = sql`coalesce((
    select seq from posts where community_id = ${community} and seq < ${before} and seq > ${sinceSeq(query)}
    order by seq desc limit 1 offset ${WINDOW}), 0)`;
  const rows = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.community_id = ${community} and p.seq < ${before} and p.seq > max(${floor}, ${sinceSeq(query)})
      ${isAskedFor('p', query)} ${isAtPlace(viewer, query)} and ${isThere('p')} and ${isNotHiddenFrom('p', viewer && idOf(viewer))}
      and ${holdsWords(viewer, query)}
    order by p.seq desc limit ${query.limit + 1}`;
  return { rows, floor };
}
