import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { CONTACTS, OUTCOMES, POST_KINDS, POSTED_BY, type PostInput } from '#contract/posts.ts';
import { WRITTEN_FIELDS } from '#contract/written-fields.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import { PHOTOS_OF_POST } from '#worker/photos/index.ts';

/** The fields that matching reads. A phone number says nothing about the thing. */
const MATCHED = WRITTEN_FIELDS.filter((column) => column !== 'phone_number');

/** The other columns, as they are read from `FROM_POSTS`. */
const ADDED = {
  seq: 'p.seq',
  id: 'p.id',
  author_id: 'p.author_id',
  community_id: 'p.community_id',
  kind: 'p.kind',
  kept_at: 'p.kept_at',
  on_behalf: 'p.on_behalf',
  claim_question: 'p.claim_question',
  private_marks: 'p.private_marks',
  contact: 'p.contact',
  is_found: 'p.is_found',
  away_since: 'p.away_since',
  outcome: 'p.outcome',
  renewed_at: 'p.renewed_at',
  has_identifiers: 'p.identifiers is not null',
  hidden_by: 'p.hidden_by',
  hidden_reason: 'p.hidden_reason',
  created_at: 'p.created_at',
  community_code: 'c.community_code',
  community_name: 'c.name',
} as const;

type WrittenTexts = Pick<PostInput, (typeof WRITTEN_FIELDS)[number]>;

/** A post's own row, with its community's name and code. */
export const storedPostRow = () =>
  z.object({
    title: z.string(),
    owner_first_name: z.string(),
    owner_last_name: z.string(),
    location: z.string(),
    phone_number: z.string(),
    description: z.string(),
    posted_by: z.enum(POSTED_BY),
    seq: z.number(),
    id: z.string(),
    author_id: z.string(),
    community_id: z.nullable(z.string()),
    kind: z.nullable(z.enum(POST_KINDS)),
    kept_at: z.nullable(z.string()),
    on_behalf: flag(),
    claim_question: z.nullable(z.string()),
    private_marks: z.nullable(z.string()),
    contact: z.enum(CONTACTS),
    is_found: flag(),
    away_since: z.nullable(z.number()),
    outcome: z.nullable(z.enum(OUTCOMES)),
    renewed_at: z.nullable(z.number()),
    has_identifiers: flag(),
    hidden_by: z.number(),
    hidden_reason: z.nullable(z.string()),
    created_at: z.number(),
    community_code: z.nullable(z.string()),
    community_name: z.nullable(z.string()),
  } satisfies Record<(typeof WRITTEN_FIELDS)[number] | keyof typeof ADDED, z.ZodMiniType>);
export type StoredPost = RowOf<typeof storedPostRow>;

/** A post with everything that is needed to show it. */
export const postRow = () => z.object({ ...storedPostRow().shape, is_author_proven: flag(), photos: z.string() });
export type PostRow = RowOf<typeof postRow>;

/** For `select`: a StoredPost of `FROM_POSTS`, which reads only the rows of the post and its community. */
export const STORED_COLUMNS = sql.raw(
  [
    ...WRITTEN_FIELDS.map((column) => `p.${column}`),
    ...Object.entries(ADDED).map(([name, column]) => `${column} as ${name}`),
  ].join(', '),
);

/** For `select`: a PostRow of `FROM_POSTS`. */
export const POST_COLUMNS = sql`${STORED_COLUMNS}, ${hasProvenNumber(sql.raw('p.author_id'))} as is_author_proven, ${PHOTOS_OF_POST} as photos`;
export const FROM_POSTS = sql.raw('from posts p left join communities c on c.id = p.community_id');

/** For `insert`: the columns that an author writes, with their values. */
export function writtenValues(input: PostInput): Record<string, unknown> {
  return Object.fromEntries(WRITTEN_FIELDS.map((column) => [column, input[column]]));
}

/** For `update … set`. */
export function writtenAssignments(input: PostInput): SQL {
  return list(WRITTEN_FIELDS.map((column) => sql`${sql.raw(column)} = ${input[column]}`));
}

/** For `update … set on_behalf`: unchanged if left out. */
export function onBehalfOf({ on_behalf }: PostInput): SQL {
  return on_behalf === undefined ? sql.raw('on_behalf') : sql`${on_behalf === true}`;
}

/** For `update … set kept_at`: unchanged if left out, but always null for an owner's post. */
export function keptAtOf({ posted_by, kept_at }: PostInput): SQL {
  if (posted_by === 'owner') return sql`null`;
  return kept_at === undefined ? sql.raw('kept_at') : sql`${kept_at}`;
}

/** For `update … set contact`: unchanged if left out. */
export function contactOf({ contact }: PostInput): SQL {
  return contact === undefined ? sql.raw('contact') : sql`${contact ?? 'number'}`;
}

/** Condition of an `update`: it changes nothing that matching reads. */
export function isMatchedAlike(input: WrittenTexts, communityId: string | null): SQL {
  return sql`(community_id, ${sql.raw(MATCHED.join(', '))}) is (
    ${communityId}, ${list(MATCHED.map((column) => sql`${input[column]}`))})`;
}

function list(parts: SQL[]): SQL {
  return sql.join(parts, sql`, `);
}
