import { type SQL, sql } from 'drizzle-orm';
import type { PostInput } from '#contract/posts.ts';

/**
 * What an author writes of a post: the field of the contract is the column of the table. A new field is a line here,
 * in the schema, in the contract and in the form.
 */
const WRITTEN = [
  'title',
  'owner_first_name',
  'owner_last_name',
  'location',
  'phone_number',
  'description',
  'posted_by',
] as const satisfies readonly (keyof PostInput)[];
/** What a post is matched by: a number says nothing of the thing. */
const MATCHED = WRITTEN.filter((column) => column !== 'phone_number');

/** What the Worker adds to it, and where each is read from in `FROM_POSTS`. */
type Added = {
  seq: number;
  id: string;
  author_id: string;
  community_id: string | null;
  is_found: 0 | 1;
  created_at: number;
  community_code: string | null;
  community_name: string | null;
};
const ADDED = {
  seq: 'p.seq',
  id: 'p.id',
  author_id: 'p.author_id',
  community_id: 'p.community_id',
  is_found: 'p.is_found',
  created_at: 'p.created_at',
  community_code: 'c.community_code',
  community_name: 'c.name',
} as const satisfies Record<keyof Added, string>;

/** A post as its store reads it. */
export type PostRow = Pick<PostInput, (typeof WRITTEN)[number]> & Added;

/** For `select`: a PostRow of `FROM_POSTS`. */
export const POST_COLUMNS = sql.raw(
  [
    ...WRITTEN.map((column) => `p.${column}`),
    ...Object.entries(ADDED).map(([name, column]) => `${column} as ${name}`),
  ].join(', '),
);
export const FROM_POSTS = sql.raw('from posts p left join communities c on c.id = p.community_id');

/** For `insert`: the names of what an author writes. */
export const WRITTEN_COLUMNS = sql.raw(WRITTEN.join(', '));

/** For `insert`, in the order of `WRITTEN_COLUMNS`. */
export function writtenValues(input: PostInput): SQL {
  return list(WRITTEN.map((column) => sql`${input[column]}`));
}

/** For `update … set`. */
export function writtenAssignments(input: PostInput): SQL {
  return list(WRITTEN.map((column) => sql`${sql.raw(column)} = ${input[column]}`));
}

/** Condition of an `update`: nothing changes that the post is matched by. */
export function isMatchedAlike(input: PostInput, communityId: string | null): SQL {
  return sql`(community_id, ${sql.raw(MATCHED.join(', '))}) is (
    ${communityId}, ${list(MATCHED.map((column) => sql`${input[column]}`))})`;
}

function list(parts: SQL[]): SQL {
  return sql.join(parts, sql`, `);
}
