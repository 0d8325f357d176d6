import { type SQL, sql } from 'drizzle-orm';
import { POSTED_BY } from '#contract/kinds.ts';
import type { PostListQuery } from '#contract/posts.ts';
import { idOf } from '#worker/conditions/people.ts';
import { isNotHiddenFrom, isThere, selectPlaces } from '#worker/conditions/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

type NewestQuery = Omit<PostListQuery, 'search' | 'place'>;

/**
 * Selects the `seq` of the newest posts that the viewer may see: public ones, and those of the viewer's communities.
 * Examines at most `WINDOW` public posts, and `WINDOW` posts of each community.
 * @param since a list's filter by time: posts older than this time are not read.
 */
export function selectNewest(viewer: Viewer | null, most: number, since: PostListQuery['since']): SQL {
  const me = viewer && idOf(viewer);
  const query = { community_code: null, limit: most - 1, since };
  return sql`
    select i.value as seq from (${selectPlaces(me, query.community_code)}) m cross join ${eachOf(listPlace(me, query).seqs)} i
    order by seq desc limit ${most}`;
}

/**
 * Selects the newest posts of one community, or the newest public posts. The caller's statement must contain
 * `selectPlaces` as `m`: each of its rows says where to look. With the filter `kind` or `open`, each combination of
 * `posted_by` and `is_found` is read separately, because an index has the posts of one combination in order.
 */
export function listPlace(me: SQL | null, query: NewestQuery): Newest {
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

/**
 * Returns a table function that yields the selected `seq`. In SQLite a table function may refer to earlier tables of
 * the `from`, and a subquery may not.
 */
export function eachOf(seqs: SQL): SQL {
  return sql`json_each((select json_group_array(seq) from (${seqs})))`;
}

type Newest = { seqs: SQL; floor: SQL };

/**
 * Selects the newest posts of a list.
 * @param from the posts `w` to examine: a `from … where …` clause, to which further conditions are appended.
 */
function listNewestOf(me: SQL | null, query: NewestQuery, from: SQL): Newest {
  const newest = (columns: SQL) => sql`
    select ${columns} from ${from} and ${isThere('w')} ${isAskedFor('w', query)}
      and w.seq < ${cursorSeq(query.cursor)} and w.seq > ${sinceSeq(query)} order by w.seq desc`;
  const seqs = sql`
    select q.seq from (${newest(sql`w.seq, w.author_id, w.community_id, w.hidden_by`)} limit ${WINDOW}) q
    where ${isNotHiddenFrom('q', me)} order by q.seq desc limit ${query.limit + 1}`;
  // After a full page, the next page begins after the last post of the full page. The `seq` at which the examination of
  // posts stopped is then not needed.
  const floor = sql`case when (select count(*) from (${seqs})) > ${query.limit} then 0
    else coalesce((${newest(sql`w.seq`)} limit 1 offset ${WINDOW}), 0) end`;
  return { seqs, floor };
}

/**
 * How many posts, or entries of an index, one page examines at most, so that a request's cost does not grow with the
 * number of posts. The next page continues with the next post. The limit only matters for filters that no index
 * contains.
 */
export const WINDOW = 5_000;

/**
 * - `seqs` selects the `seq` of a page's posts, newest first, and of one more post, which shows that another page
 * follows.
 * - `floor` is an expression for the `seq` at which the page stops examining posts, or 0 if the page examines all
 * posts. `floor` may read a table `words`, into which the statement has put the result of `seqs`.
 * - `floorAlone` replaces `floor` in a statement without the table `words`. By default, `floorAlone` is `floor`.
 */
export type Search = { seqs: SQL; floor: SQL; floorAlone?: SQL };

/** The filters of a list, except place, search and community. */
type ListFilter = Pick<PostListQuery, 'posted_by' | 'kind' | 'open' | 'since'>;

/**
 * How many of the first posts since a time are examined to find the lowest `seq`. The first post does not always have
 * the lowest `seq`: the clocks that set `created_at` differ, so a post with a higher `seq` may have an earlier time.
 */
const OUT_OF_ORDER_MAX = 100;

/** Returns the exclusive upper bound of the page's `seq`: the cursor, or a number above every `seq`. */
export function cursorSeq(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/**
 * Expression: the exclusive lower bound of the page's `seq`. Posts older than `since` are below it, so they are not
 * examined.
 */
export function sinceSeq({ since }: Pick<PostListQuery, 'since'>): SQL {
  if (since === undefined) return sql`0`;
  return sql`cast(coalesce((
    select min(seq) - 1 from (
      select seq from posts where created_at >= ${since} order by created_at limit ${OUT_OF_ORDER_MAX})
  ), ${Number.MAX_SAFE_INTEGER}) as integer)`;
}

/** Conditions, each with a leading `and`: the post matches the filters. Does not check the place and the search. */
export function isAskedFor(table: 'p' | 'w', { posted_by, kind, open, since }: ListFilter): SQL {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql.join([
    ...(posted_by === undefined ? [] : [sql` and ${column('posted_by')} = ${posted_by}`]),
    ...(kind === undefined ? [] : [sql` and ${column('kind')} = ${kind}`]),
    ...(open === undefined ? [] : [sql` and ${column('is_found')} = 0`]),
    ...(since === undefined ? [] : [sql` and ${column('created_at')} >= ${since}`]),
  ]);
}
