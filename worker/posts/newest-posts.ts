import { type SQL, sql } from 'drizzle-orm';
import { POSTED_BY, type PostListQuery } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { communityIdOf, cursorSeq, isAskedFor, sinceSeq, WINDOW } from './list-conditions.ts';
import { idOf, isNotHiddenFrom, isThere } from './visibility.ts';

type NewestQuery = Omit<PostListQuery, 'search' | 'place'>;

/**
 * Selects the `seq` of the newest posts of the public and of the viewer's communities that the viewer may see, among the
 * newest `WINDOW` of each.
 * @param since as in a list's query: older posts are not read.
 */
export function selectNewest(viewer: Viewer | null, most: number, since: PostListQuery['since']): SQL {
  const me = viewer && idOf(viewer);
  const query = { community_code: null, limit: most - 1, since };
  return sql`
    select i.value as seq from (${selectPlaces(me, query)}) m cross join ${eachOf(listPlace(me, query).seqs)} i
    order by seq desc limit ${most}`;
}

/** Selects as `id` the places to read: null for the public, or a community. */
export function selectPlaces(me: SQL | null, query: NewestQuery): SQL {
  // Not as a scalar: an unknown code would be null, which is the public.
  if (query.community_code !== null) return sql`select id from ${communityIdOf(query)}`;
  const open = sql`select null as id`;
  return me ? sql`${open} union all select community_id from memberships where user_id = ${me}` : open;
}

/**
 * The newest posts of one place `m`. With filters other than `posted_by`, each combination of `posted_by` and `is_found` is
 * read separately, from an index that has its posts in order.
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

/** A table of the `seq` that a statement selects; unlike a subquery, it may refer to the tables before it in `from`. */
export function eachOf(seqs: SQL): SQL {
  return sql`json_each((select json_group_array(seq) from (${seqs})))`;
}

/** The `seq` of a page's posts, and the `seq` at which it stops looking. */
type Newest = { seqs: SQL; floor: SQL };

/** @param from the posts `w` to examine: a `from` clause and the beginning of its condition. */
function listNewestOf(me: SQL | null, query: NewestQuery, from: SQL): Newest {
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
