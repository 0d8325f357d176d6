import { type SQL, sql } from 'drizzle-orm';
import type { PostInput } from '#contract/posts.ts';
import { hasOpenClaim } from './claimed.ts';

/** The fields that a claim is compared with. They must not change while a claim is open. */
const SEALED = ['claim_question', 'private_marks'] as const;

/** Condition on a row of posts: a claim is open, and the update would change something that is fixed until it is settled. */
export function isSealed(input: PostInput, communityId: string | null, now: number): SQL {
  const isChanged = [
    ...SEALED.filter((column) => input[column] !== undefined).map(
      (column) => sql`${sql.raw(column)} is not ${input[column]}`,
    ),
    sql`posted_by = 'finder' and ${input.posted_by} = 'owner'`,
    sql`community_id is not ${communityId}`,
  ];
  return sql`((${sql.join(isChanged, sql` or `)}) and ${hasOpenClaim(sql.raw('posts.id'), now)})`;
}
