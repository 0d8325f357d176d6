import { type SQL, sql } from 'drizzle-orm';
import type { PostListQuery } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';

/**
 * How many posts, or matches of the index, one page looks at where others than the index must say which ones fit. The
 * next page looks further, so that no request costs more among a million posts than among thousands.
 */
export const WINDOW = 5_000;

/** A page's statement, and the post at which it stops looking: 0 when it looks at all of them. */
export type Search = { rows: SQL; floor: SQL };

/** By how much the clocks that give posts their times may differ: a later post may have the earlier time. */
const CLOCK_SKEW_MS = 60_000;

/** The number that every post of the page is below: the cursor, or one above all. */
export function cursorSeq(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/** The number that every post of the page is above, so that nobody looks through what is older than is asked for. */
export function sinceSeq({ since }: PostListQuery): SQL {
  if (since === undefined) return sql`0`;
  return sql`cast(coalesce((
    select seq - 1 from posts where created_at >= ${since - CLOCK_SKEW_MS} order by created_at limit 1
  ), ${Number.MAX_SAFE_INTEGER}) as integer)`;
}

/** The community that a query names by its public or its access code. */
export function communityIdOf({ community_code }: PostListQuery): SQL {
  const code = parseCode(community_code ?? '');
  return sql`(select id from communities where community_code = ${code} or access_code = ${code})`;
}

/** Condition, with its own `and`: the post is of those that are asked for, wherever it is. */
export function isAskedFor(table: 'p' | 'w', { posted_by, kind, open, since }: PostListQuery): SQL {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql.join([
    ...(posted_by === undefined ? [] : [sql` and ${column('posted_by')} = ${posted_by}`]),
    ...(kind === undefined ? [] : [sql` and ${column('kind')} = ${kind}`]),
    ...(open === undefined ? [] : [sql` and ${column('is_found')} = 0`]),
    ...(since === undefined ? [] : [sql` and ${column('created_at')} >= ${since}`]),
  ]);
}
