import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PageQuery } from '#contract/paging.ts';
import type { PostListQuery } from '#contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, ofKind } from './list-conditions.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
import { buildSearch, type Search } from './search-store.ts';
import { selectCommunity } from './store.ts';
import { idOf, isNotHiddenFrom } from './visibility.ts';

const floorRow = () => z.object({ floor: z.number() });

export type Page = { rows: PostRow[]; nextCursor: number | null };

/** A page of one's own posts, newest first. */
export async function listOwnPosts(db: Db, viewer: Viewer, { cursor, limit }: PageQuery): Promise<Page> {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS}
      where p.author_id = ${viewer.userId} and p.seq < ${cursorSeq(cursor)}
      order by p.seq desc limit ${limit + 1}`,
  ]);
  return toPage(rows, limit, 0);
}

/**
 * A page of what the viewer may see, newest first, in one round trip.
 * @returns the community that `community_code` named beside the page, for the caller to judge before it shows the page.
 */
export async function listPosts(db: Db, viewer: Viewer | null, query: PostListQuery) {
  const isSearch = splitSearch(query.search).length > 0;
  const { rows, floor }: Search = isSearch
    ? buildSearch(viewer, query)
    : { rows: listNewest(viewer, query), floor: sql`0` };
  const [[community], [end], found] = await readAs(db, viewer, [
    selectCommunity(db, viewer, query.community_code),
    queryRows(db, floorRow)`select ${floor} as floor`,
    queryRows(db, postRow)`${rows}`,
  ]);
  return { community, page: toPage(found, query.limit, end?.floor ?? 0) };
}

/** The newest of each place the viewer may look into, merged: reads a page per community, however many posts there are. */
function listNewest(viewer: Viewer | null, query: PostListQuery): SQL {
  const rest = sql`${ofKind('q', query)} and ${isNotHiddenFrom('q', idOf(viewer))} and q.seq < ${cursorSeq(query.cursor)} order by q.seq desc limit ${query.limit + 1}`;
  if (query.community_code !== null) {
    return sql`select ${POST_COLUMNS} ${FROM_POSTS} where p.seq in (
      select q.seq from posts q where q.community_id = ${communityIdOf(query)} ${rest}
    ) order by p.seq desc`;
  }
  return sql`
    select ${POST_COLUMNS} from (
      select seq from (select q.seq from posts q where q.community_id is null ${rest})
      union all
      select i.seq from memberships m cross join posts i
      where m.user_id = ${viewer?.userId ?? ''}
        and i.seq in (select q.seq from posts q where q.community_id = m.community_id ${rest})
    ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
    order by p.seq desc limit ${query.limit + 1}`;
}

/** @param floor the post at which the search stopped looking; 0 when it looked at all of them. */
function toPage(rows: PostRow[], limit: number, floor: number): Page {
  if (rows.length <= limit) return { rows, nextCursor: floor > 0 ? floor + 1 : null };
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: shown.at(-1)?.seq ?? null };
}
