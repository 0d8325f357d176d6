import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';

/**
 * How many posts, or index matches, one page examines when the index alone does not decide which ones fit. The next page
 * continues from there, so that the cost of a request does not grow with the number of posts.
 */
export const WINDOW = 5_000;

/** A page's statement, and the `seq` at which it stops looking: 0 if it looks at all posts. */
export type Search = { rows: SQL; floor: SQL };

/** A list's filters, apart from place, search and community. */
type ListFilter = Pick<PostListQuery, 'posted_by' | 'kind' | 'open' | 'since'>;

/** The clocks that set `created_at` differ by less than as many posts take: a later post may have an earlier time. */
const OUT_OF_ORDER_MAX = 100;

/** The exclusive upper bound of the page's `seq`: the cursor, or a number above all. */
export function cursorSeq(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/** The exclusive lower bound of the page's `seq`, so that posts older than `since` are not examined. */
export function sinceSeq({ since }: Pick<PostListQuery, 'since'>): SQL {
  if (since === undefined) return sql`0`;
  return sql`cast(coalesce((
    select min(seq) - 1 from (
      select seq from posts where created_at >= ${since} order by created_at limit ${OUT_OF_ORDER_MAX})
  ), ${Number.MAX_SAFE_INTEGER}) as integer)`;
}

/** Expression: the id of the community that a query names by its public code or access code. */
export function communityIdOf({ community_code }: Pick<PostListQuery, 'community_code'>): SQL {
  const code = parseCode(community_code ?? '');
  return sql`(select id from communities where community_code = ${code} or access_code = ${code})`;
}

/** Conditions, each with a leading `and`: the post passes the filters, apart from place and search. */
export function isAskedFor(table: 'p' | 'w', { posted_by, kind, open, since }: ListFilter): SQL {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql.join([
    ...(posted_by === undefined ? [] : [sql` and ${column('posted_by')} = ${posted_by}`]),
    ...(kind === undefined ? [] : [sql` and ${column('kind')} = ${kind}`]),
    ...(open === undefined ? [] : [sql` and ${column('is_found')} = 0`]),
    ...(since === undefined ? [] : [sql` and ${column('created_at')} >= ${since}`]),
  ]);
}
