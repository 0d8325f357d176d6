import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { foldPhrase, splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, isAskedFor, type Search, sinceSeq, WINDOW } from './list-conditions.ts';
import { selectNewest } from './newest-posts.ts';
import { FROM_POSTS, POST_COLUMNS } from './post-columns.ts';
import { type Lookup, lookupOf, selectLikely } from './search-index.ts';
import { idOf, isNotHiddenFrom, isShownTo, isThere } from './visibility.ts';

/** With how many posts, the likely or the newest, one page of a search compares its words: each is a random access. */
const COMPARED_MAX = 1_000;

/** Whether a list needs a search of the texts. */
export function isSearch({ search, place }: PostListQuery): boolean {
  return splitSearch(search).length > 0 || foldPhrase(place) !== '';
}

/** Chooses how to search: a community's posts one by one, otherwise by the trigram index, or the newest posts. */
export function buildSearch(viewer: Viewer | null, query: PostListQuery): Search {
  if (query.community_code !== null) return searchCommunity(viewer, query);
  const lookup = lookupOf(viewer, query);
  return lookup ? searchIndex(viewer, query, lookup) : searchNewest(viewer, query);
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

/** Filters what the index finds, which may be of another kind, or in a community, or lack a word. */
function searchIndex(viewer: Viewer | null, query: PostListQuery, lookup: Lookup): Search {
  const since = sinceSeq(query);
  const likely = selectLikely(lookup, { after: since, before: sql`${cursorSeq(query.cursor)}` });
  const page = sql`
    from (${likely} limit ${COMPARED_MAX}) s cross join posts p on p.seq = s.seq
    left join communities c on c.id = p.community_id
    where ${isShownTo('p', viewer && idOf(viewer))} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${holdsWords(viewer, query)}
    order by s.seq desc`;
  return {
    rows: sql`select ${POST_COLUMNS} ${page} limit ${query.limit + 1}`,
    // After a full page the next one begins at its last post. `since` bounds the likely posts: there are none below it.
    floor: sql`case when (select count(*) from (select 1 ${page} limit ${query.limit + 1})) > ${query.limit} then 0
      else coalesce((${likely} limit 1 offset ${COMPARED_MAX}), 0) end`,
  };
}

/** For words of one and two letters, which the index does not have: compares the newest posts and no older ones. */
function searchNewest(viewer: Viewer | null, query: PostListQuery): Search {
  const rows = sql`
    select ${POST_COLUMNS} from (${selectNewest(viewer, COMPARED_MAX, query.since)}) s cross join posts p on p.seq = s.seq
    left join communities c on c.id = p.community_id
    where s.seq < ${cursorSeq(query.cursor)} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${holdsWords(viewer, query)}
    order by s.seq desc limit ${query.limit + 1}`;
  return { rows, floor: sql`0` };
}

/** Selects the `seq` of the newest posts that contain all of the words, for viewers who see posts unredacted. */
export function selectSaying(viewer: Viewer, words: string, most: number): SQL {
  const lookup = lookupOf(viewer, { search: words, place: '' });
  const likely = lookup
    ? selectLikely(lookup, { after: sql`0`, before: sql`${Number.MAX_SAFE_INTEGER}` })
    : sql`select seq from posts order by seq desc`;
  return sql`
    select s.seq from (${likely} limit ${COMPARED_MAX}) s cross join posts p on p.seq = s.seq
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
