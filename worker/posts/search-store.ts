import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { parsePhrase, parseSearch, splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, isAskedFor, type Search, sinceSeq, WINDOW } from './list-conditions.ts';
import { FROM_POSTS, POST_COLUMNS } from './post-columns.ts';
import { idOf, isNotHiddenFrom, isShownTo, isThere } from './visibility.ts';

/** Whether a list must be searched, as what is asked for stands in the texts. */
export function isSearch({ search, place }: PostListQuery): boolean {
  return splitSearch(search).length > 0 || parsePhrase(place).phrase !== '';
}

/** Chooses how to search: a community's posts one after the other, the index where it helps, else the newest posts. */
export function buildSearch(viewer: Viewer | null, query: PostListQuery): Search {
  if (query.community_code !== null) return searchCommunity(viewer, query);
  const { match, short } = parseSearch(query.search);
  const matches = [match, parsePhrase(query.place).match].filter((part) => part !== null);
  return matches.length === 0 ? searchNewest(viewer, query) : searchIndex(viewer, query, matches.join(' AND '), short);
}

/** Condition: what the viewer is shown of the post has every word that is searched for. */
function holdsWords(viewer: Viewer | null, { search }: PostListQuery): SQL {
  return containsAll(textFor(viewer), splitSearch(search));
}

/** What the viewer may find a post by. Of one that nobody has read yet it is not known what they are shown. */
function textFor(viewer: Viewer | null): SQL {
  if (viewer === null) return sql.raw('p.visitor_text');
  return sql`case when p.author_id = ${viewer.userId} then p.search_text
    when p.kind is not null then coalesce(p.reader_text, p.search_text) end`;
}

/** Condition, with its own `and`: the third line of what the viewer is shown of the post, its location, names the place. */
function isAtPlace(viewer: Viewer | null, { place }: PostListQuery): SQL {
  const { phrase } = parsePhrase(place);
  if (phrase === '') return sql``;
  const rest = (text: SQL) => sql`(select substr(t, instr(t, char(10)) + 1) as t from ${text})`;
  const location = sql`(select substr(t, 1, instr(t, char(10)) - 1) from ${rest(rest(sql`(select ${textFor(viewer)} as t)`))})`;
  return sql`and instr(${location}, ${phrase}) > 0`;
}

/** Condition: what the index found by a whole text is there in what the viewer is shown, which seldom is another. */
function isFoundAsShown(viewer: Viewer | null, query: PostListQuery): SQL {
  if (viewer === null) return sql`true`;
  return sql`(p.reader_text is null and p.kind is not null or ${holdsWords(viewer, query)})`;
}

/**
 * The index knows the long words alone, and for who is signed in the whole texts: what it finds may be of another kind, a
 * community's, or a document with a number that only its author sees.
 */
function searchIndex(viewer: Viewer | null, query: PostListQuery, match: string, short: string[]): Search {
  // D1 binds numbers as reals, and the index goes straight to an integer alone: to a real it reads from the newest on.
  const before = sql`cast(${cursorSeq(query.cursor)} as integer)`;
  const index = sql.raw(viewer === null ? 'posts_visitor_search' : 'posts_search');
  const matches = sql`
    select rowid from ${index} where ${index} match ${match} and rowid < ${before} and rowid > ${sinceSeq(query)}
    order by rowid desc`;
  const page = sql`
    from (${matches} limit ${WINDOW}) s cross join posts p on p.seq = s.rowid
    left join communities c on c.id = p.community_id
    where ${isShownTo('p', idOf(viewer))} ${isAskedFor('p', query)} ${isAtPlace(viewer, query)}
      and ${containsAll(textFor(viewer), short)} and ${isFoundAsShown(viewer, query)}
    order by s.rowid desc limit ${query.limit + 1}`;
  // A full page says itself where the next one begins.
  const floor = sql`case when (select count(*) from (select 1 ${page})) > ${query.limit} then 0
    else coalesce((${matches} limit 1 offset ${WINDOW}), 0) end`;
  return { rows: sql`select ${POST_COLUMNS} ${page}`, floor };
}

/** The index knows nothing of communities: a word that is common elsewhere would cost all its posts there. */
function searchCommunity(viewer: Viewer | null, query: PostListQuery): Search {
  const community = communityIdOf(query);
  const before = cursorSeq(query.cursor);
  const floor = sql`coalesce((
    select seq from posts where community_id = ${community} and seq < ${before} and seq > ${sinceSeq(query)}
    order by seq desc limit 1 offset ${WINDOW}), 0)`;
  const rows = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.community_id = ${community} and p.seq < ${before} and p.seq > max(${floor}, ${sinceSeq(query)})
      ${isAskedFor('p', query)} ${isAtPlace(viewer, query)} and ${isThere('p')} and ${isNotHiddenFrom('p', idOf(viewer))}
      and ${holdsWords(viewer, query)}
    order by p.seq desc limit ${query.limit + 1}`;
  return { rows, floor };
}

function searchNewest(viewer: Viewer | null, query: PostListQuery): Search {
  const before = cursorSeq(query.cursor);
  const since = sinceSeq(query);
  const end = sql`(min(${before} - 1, coalesce((select max(seq) from posts), 0)) - ${WINDOW})`;
  const floor = sql`iif(${end} > ${since}, ${end}, 0)`;
  const rows = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.seq < ${before} and p.seq > max(${floor}, ${since})
      ${isAskedFor('p', query)} ${isAtPlace(viewer, query)} and ${isShownTo('p', idOf(viewer))} and ${holdsWords(viewer, query)}
    order by p.seq desc limit ${query.limit + 1}`;
  return { rows, floor };
}
