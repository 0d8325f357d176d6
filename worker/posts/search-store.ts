import { sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { parseSearch, splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, ofKind, type Search, WINDOW } from './list-conditions.ts';
import { FROM_POSTS, POST_COLUMNS } from './post-columns.ts';
import { idOf, isNotHiddenFrom, isShownTo } from './visibility.ts';

/** Chooses how to search: a community's posts one after the other, the index where it helps, else the newest posts. */
export function buildSearch(viewer: Viewer | null, query: PostListQuery): Search {
  if (query.community_code !== null) return searchCommunity(viewer, query);
  const { match, short } = parseSearch(query.search);
  return match === null ? searchNewest(viewer, query, short) : searchIndex(viewer, query, match, short);
}

/** The index knows the long words alone: what it finds may be of another kind, or a community's. */
function searchIndex(viewer: Viewer | null, query: PostListQuery, match: string, short: string[]): Search {
  // D1 binds numbers as reals, and the index goes straight to an integer alone: to a real it reads from the newest on.
  const before = sql`cast(${cursorSeq(query.cursor)} as integer)`;
  const matches = sql`
    select rowid from posts_search where posts_search match ${match} and rowid < ${before} order by rowid desc`;
  const page = sql`
    from (${matches} limit ${WINDOW}) s cross join posts p on p.seq = s.rowid
    left join communities c on c.id = p.community_id
    where ${isShownTo('p', idOf(viewer))} ${ofKind('p', query)} and ${containsAll('p.search_text', short)}
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
    select seq from posts where community_id = ${community} and seq < ${before}
    order by seq desc limit 1 offset ${WINDOW}), 0)`;
  const rows = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.community_id = ${community} and p.seq < ${before} and p.seq > ${floor}
      ${ofKind('p', query)} and ${isNotHiddenFrom('p', idOf(viewer))}
      and ${containsAll('p.search_text', splitSearch(query.search))}
    order by p.seq desc limit ${query.limit + 1}`;
  return { rows, floor };
}

function searchNewest(viewer: Viewer | null, query: PostListQuery, short: string[]): Search {
  const before = cursorSeq(query.cursor);
  const floor = sql`max(0, min(${before} - 1, coalesce((select max(seq) from posts), 0)) - ${WINDOW})`;
  const rows = sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.seq < ${before} and p.seq > ${floor}
      ${ofKind('p', query)} and ${isShownTo('p', idOf(viewer))} and ${containsAll('p.search_text', short)}
    order by p.seq desc limit ${query.limit + 1}`;
  return { rows, floor };
}
