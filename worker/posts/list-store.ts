import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PageQuery } from '#contract/paging.ts';
import { POSTED_BY, type PostListQuery } from '#contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, isAskedFor, type Search, sinceSeq, WINDOW } from './list-conditions.ts';
import { type NumberReader, readWithNumbers } from './number-store.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
import { buildSearch, isSearch } from './search-store.ts';
import { selectCommunity } from './store.ts';
import { idOf, isNotHiddenFrom, isThere, mayMiss } from './visibility.ts';

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

/** Selects as `id` the places to read: null for the public, or a community. */
function selectPlaces(me: SQL | null, query: PostListQuery): SQL {
  // Not as a scalar: an unknown code would be null, which is the public.
  if (query.community_code !== null) return sql`select id from ${communityIdOf(query)}`;
  const open = sql`select null as id`;
  return me ? sql`${open} union all select community_id from memberships where user_id = ${me}` : open;
}

/**
 * The newest posts of one place `m`. With filters other than `posted_by`, each combination of `posted_by` and `is_found` is
 * read separately, from an index that has its posts in order.
 */
function listPlace(me: SQL | null, query: PostListQuery): Newest {
  const { posted_by, kind, open } = query;
  if (kind === undefined && open === undefined) {
    const index = sql.raw(posted_by === undefined ? 'posts_listed' : 'posts_by_community_and_kind');
    return listNewestOf(me, query, sql`posts w indexed by ${index} where w.community_id is m.id`);
  }
  const found = open === undefined ? [0, 1] : [0];
  const groups = (posted_by === undefined ? POSTED_BY : [posted_by]).flatMap((by) => found.map((is) => [by, is]));
  const each = sql`json_each(${JSON.stringify(groups)}) g`;
  const index = sql.raw(kind === undefined ? 'posts_open' : 'posts_by_kind');
  const { seqs, floor } = listNewestOf(
    me,
    query,
    sql`posts w indexed by ${index} where w.community_id is m.id
      and w.posted_by = g.value ->> 0 and w.is_found = g.value ->> 1`,
  );
  return {
    seqs: sql`select o.value as seq from ${each} cross join ${eachOf(seqs)} o`,
    floor: sql`coalesce((select max(${floor}) from ${each}), 0)`,
  };
}

/** A table of the `seq` that a statement selects; unlike a subquery, it may refer to the tables before it in `from`. */
function eachOf(seqs: SQL): SQL {
  return sql`json_each((select json_group_array(seq) from (${seqs})))`;
}

/** The `seq` of a page's posts, and the `seq` at which it stops looking. */
type Newest = { seqs: SQL; floor: SQL };

/** @param from the posts `w` to examine: a `from` clause and the beginning of its condition. */
function listNewestOf(me: SQL | null, query: PostListQuery, from: SQL): Newest {
  const newest = (columns: SQL) => sql`
    select ${columns} from ${from} and ${isThere('w')} ${isAskedFor('w', query)}
      and w.seq < ${cursorSeq(query.cursor)} and w.seq > ${sinceSeq(query)} order by w.seq desc`;
  const seqs = sql`
    select q.seq from (${newest(sql`w.seq, w.author_id, w.community_id, w.hidden_by`)} limit ${WINDOW}) q
    where ${isNotHiddenFrom('q', me)} order by q.seq desc limit ${query.limit + 1}`;
  // After a full page the next one begins at its last post.
  const floor = sql`case when (select count(*) from (${seqs})) > ${query.limit} then 0
    else coalesce((${newest(sql`w.seq`)} limit 1 offset ${WINDOW}), 0) end`;
  return { seqs, floor };
}

/** @param floor the `seq` at which the page stopped looking in at least one place; 0 if it looked at all posts. */
function toPage(rows: PostRow[], limit: number, floor: number): Page {
  const looked = rows.filter((row) => row.seq > floor);
  if (looked.length <= limit) return { rows: looked, nextCursor: floor > 0 ? floor + 1 : null };
  const shown = looked.slice(0, limit);
  return { rows: shown, nextCursor: shown.at(-1)?.seq ?? null };
}
