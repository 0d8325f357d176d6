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

/** The number that every post of the page is below: the cursor, or one above all. */
export function cursorSeq(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/** The community that a query names by its public or its access code. */
export function communityIdOf({ community_code }: PostListQuery): SQL {
  const code = parseCode(community_code ?? '');
  return sql`(select id from communities where community_code = ${code} or access_code = ${code})`;
}

/** Condition, with its own `and`: the kind of post that is asked for, if one is. */
export function ofKind(table: 'p' | 'w', { posted_by }: PostListQuery): SQL {
  return posted_by === undefined ? sql`` : sql`and ${sql.raw(table)}.posted_by = ${posted_by}`;
}
