import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PageQuery } from '#contract/paging.ts';
import type { PostListQuery } from '#contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { cursorSeq, type Search } from './list-conditions.ts';
import { eachOf, listPlace, selectPlaces } from './newest-posts.ts';
import { type NumberReader, readWithNumbers } from './number-store.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
import { buildSearch, isSearch } from './search-store.ts';
import { selectCommunity } from './store.ts';
import { idOf, mayMiss } from './visibility.ts';

const floorRow = () => z.object({ floor: z.number() });

export type Page = { rows: PostRow[]; nextCursor: number | null };

/** A page of the viewer's own posts, newest first. */
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
 * A page of the posts that the viewer may see, newest first, in one round trip.
 * @returns the page, and the community that `community_code` names, for the caller to authorise before it shows the page.
 */
export async function listPosts(reader: NumberReader, query: PostListQuery) {
  const { db, viewer } = reader;
  const { rows, floor } = selectList(viewer, query);
  const posts = sql`select seq, -seq as place from (${rows}) order by seq desc limit ${query.limit}`;
  const { answers, numbers } = await readWithNumbers(reader, { posts }, [
    queryRows(db, postRow)`${rows}`,
    queryRows(db, floorRow)`select ${floor} as floor`,
    ...(query.community_code === null ? [] : [selectCommunity(db, viewer, query.community_code)]),
  ]);
  const [found, [end], named] = answers;
  return { community: named?.[0], numbers, page: toPage(found, query.limit, end?.floor ?? 0) };
}

/** A page of the posts that the viewer may see, and one more, which shows that another page follows. */
export function selectList(viewer: Viewer | null, query: PostListQuery): Search {
  return isSearch(query) ? buildSearch(viewer, query) : listNewest(viewer, query);
}

/**
 * Merges the newest posts of the public and of each of the viewer's communities, reading one page of each, however many
 * posts there are. If many are hidden from the viewer it examines a window of each, and goes no further than the shortest.
 */
function listNewest(viewer: Viewer | null, query: PostListQuery): Search {
  const me = viewer && idOf(viewer);
  const places = selectPlaces(me, query);
  const { seqs, floor } = listPlace(me, query);
  return {
    rows: sql`
      select ${POST_COLUMNS} from (
        select i.value as seq from (${places}) m cross join ${eachOf(seqs)} i order by seq desc limit ${query.limit + 1}
      ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
      order by v.seq desc`,
    floor: sql`iif(${mayMiss(me)}, coalesce((select max(${floor}) from (${places}) m), 0), 0)`,
  };
}

/** @param floor the `seq` at which the page stopped looking in at least one place; 0 if it looked at all posts. */
function toPage(rows: PostRow[], limit: number, floor: number): Page {
  const looked = rows.filter((row) => row.seq > floor);
  if (looked.length <= limit) return { rows: looked, nextCursor: floor > 0 ? floor + 1 : null };
  const shown = looked.slice(0, limit);
  return { rows: shown, nextCursor: shown.at(-1)?.seq ?? null };
}
