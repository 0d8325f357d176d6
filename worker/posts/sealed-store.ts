import { type SQL, sql } from 'drizzle-orm';
import type { PostInput } from '#contract/posts.ts';
import { hasOpenClaim } from './claimed.ts';

/** What a claim's answer is held against: who claims must be able to rely on it that it was there before. */
const SEALED = ['claim_question', 'private_marks'] as const;

/** For `update … set`: what is left out stays as it was. */
export function sealedAssignments(input: PostInput): SQL {
  return sql.join(
    SEALED.map((column) => sql`${sql.raw(column)} = ${newValue(input, column)}`),
    sql`, `,
  );
}

/** Condition on a row of posts: with a claim open, the update would change what is fixed until it is settled. */
export function isSealed(input: PostInput, communityId: string | null, now: number): SQL {
  const isChanged = [
    ...SEALED.map((column) => sql`${sql.raw(column)} is not ${newValue(input, column)}`),
    sql`posted_by = 'finder' and ${input.posted_by} = 'owner'`,
    sql`community_id is not ${communityId}`,
  ];
  return sql`((${sql.join(isChanged, sql` or `)}) and ${hasOpenClaim(sql.raw('posts.id'), now)})`;
}

function newValue(input: PostInput, column: (typeof SEALED)[number]): SQL {
  const value = input[column];
  return value === undefined ? sql.raw(column) : sql`${value}`;
}
