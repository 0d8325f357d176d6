import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { POST_KINDS, POSTED_BY } from '#contract/kinds.ts';
import { CONTACTS, OUTCOMES, type Post, type PostInput, WRITTEN_FIELDS } from '#contract/posts.ts';
import { isHandedOver } from '#worker/conditions/claims.ts';
import { hasProvenNumber } from '#worker/conditions/people.ts';
import { flag, type RowOf } from '#worker/db/statements.ts';
import type { posts } from '#worker/db/tables/posts.ts';
import { PHOTOS_OF_POST } from '#worker/photos/present-photos.ts';

const text = () => z.string();
const textOrNull = () => z.nullable(z.string());
const number = () => z.number();
const numberOrNull = () => z.nullable(z.number());

/**
 * A post's columns. The selects and their rows, the insert, the update, the export of an author's own data and the
 * redaction of texts are made from this map. To add a field, add its column to the table and a line here.
 * - `row`: the type in a selected row.
 * - `written`: the value to store, for a field that authors write. Undefined if the request omits the field: a new post
 * then gets the column's default, and an existing post keeps its value.
 * - `isRedacted`: for a text in which some users see numbers and e-mail addresses as `•••` (docs/product.md V14, V15).
 * - `select`: the SQL, if the field is not simply a column of `posts`.
 */
const POST_FIELDS = {
  seq: { row: number },
  id: { row: text },
  author_id: { row: text },
  community_id: { row: textOrNull },
  title: { row: text, written: (input) => input.title, isRedacted: true },
  owner_first_name: { row: text, written: (input) => input.owner_first_name, isRedacted: true },
  owner_last_name: { row: text, written: (input) => input.owner_last_name, isRedacted: true },
  location: { row: text, written: (input) => input.location, isRedacted: true },
  phone_number: { row: text, written: (input) => input.phone_number },
  description: { row: text, written: (input) => input.description, isRedacted: true },
  posted_by: { row: () => z.enum(POSTED_BY), written: (input) => input.posted_by },
  kind: { row: () => z.enum(POST_KINDS) },
  // An owner's post never has `kept_at`, because only a finder's post says where the item is.
  kept_at: {
    row: textOrNull,
    written: ({ posted_by, kept_at }) => (posted_by === 'owner' ? null : kept_at),
    isRedacted: true,
  },
  on_behalf: { row: flag, written: ({ on_behalf }) => (on_behalf === null ? false : on_behalf) },
  claim_question: { row: textOrNull, written: (input) => input.claim_question },
  private_marks: { row: textOrNull, written: (input) => input.private_marks },
  contact: { row: () => z.enum(CONTACTS), written: ({ contact }) => (contact === null ? 'number' : contact) },
  has_identifiers: { row: flag, select: 'p.identifiers is not null' },
  is_found: { row: flag },
  away_since: { row: numberOrNull },
  outcome: { row: () => z.nullable(z.enum(OUTCOMES)) },
  renewed_at: { row: numberOrNull },
  hidden_by: { row: number },
  hidden_reason: { row: textOrNull },
  created_at: { row: number },
  community_code: { row: textOrNull, select: 'c.community_code' },
  community_name: { row: textOrNull, select: 'c.name' },
} satisfies Fields;

type Columns = (typeof posts)['_']['columns'];
type NameOf<Key extends keyof Columns> = Columns[Key]['_']['name'];
type Insert = typeof posts.$inferInsert;
type Select = typeof posts.$inferSelect;
/**
 * `Row` is a row of the table. `NewRow` is a row to insert, without the columns that have a default. The names of the
 * fields are the names of the columns in SQL.
 */
export type Row = { [Key in keyof Select as NameOf<Key>]: Select[Key] };
export type NewRow = { [Key in keyof Insert as NameOf<Key>]: Insert[Key] };

/**
 * The fields that an author writes and that are stored unchanged. The three excluded fields of `PostInput` are stored
 * as the community's id, as `own_kind`, and as digests.
 */
type Written = Exclude<keyof PostInput, 'community_code' | 'kind' | 'identifiers'>;
/** The definition of a field. Booleans become 0 or 1, because SQLite has no booleans. */
type Field<Value> = { row: () => z.ZodMiniType<Value extends boolean ? 0 | 1 : Value>; isRedacted?: true };
type Fields = { [Name in Written]: Field<Row[Name]> & { written: (input: PostInput) => NewRow[Name] } } & {
  [Name in Exclude<keyof Row, Written>]?: Field<Row[Name]>;
} & Record<'has_identifiers' | 'community_code' | 'community_name', { row: () => z.ZodMiniType; select: string }>;

type PostField = keyof typeof POST_FIELDS;
type Redacted = {
  [Name in PostField]: (typeof POST_FIELDS)[Name] extends { isRedacted: true } ? Name : never;
}[PostField];
const STORED = Object.keys(POST_FIELDS) as PostField[];
export const WRITTEN = STORED.filter((name): name is Written => 'written' in POST_FIELDS[name]);
const REDACTED = STORED.filter((name): name is Redacted => 'isRedacted' in POST_FIELDS[name]);

/** Returns the zod shape of the rows that a `select` of `columnsOf` returns. */
export function shapeOf<Name extends PostField>(names: readonly Name[]) {
  const shape = names.map((name) => [name, POST_FIELDS[name].row()]);
  return Object.fromEntries(shape) as { [Key in Name]: ReturnType<(typeof POST_FIELDS)[Key]['row']> };
}

/** Returns the columns for a `select` with `FROM_POSTS`. */
export function columnsOf(names: readonly PostField[]): SQL {
  const columns = names.map((name) => {
    const field = POST_FIELDS[name];
    return `${'select' in field ? field.select : `p.${name}`} as ${name}`;
  });
  return sql.raw(columns.join(', '));
}

/** The row of a post with its community's name and code, and no data from further tables. */
export const storedPostRow = () => z.object(shapeOf(STORED));
export type StoredPost = RowOf<typeof storedPostRow>;

/** The row of a post with all data that is needed to show the post. */
export const postRow = () =>
  z.object({
    ...storedPostRow().shape,
    is_author_proven: flag(),
    photos: z.string(),
    /**
     * When the post was marked as found. Null if it is not marked, or if the mark cannot be undone because the item was
     * handed over.
     */
    undoable_since: numberOrNull(),
  });
export type PostRow = RowOf<typeof postRow>;

/** The columns of a StoredPost, for a `select` with `FROM_POSTS`. All are columns of the post or its community. */
export const STORED_COLUMNS = columnsOf(STORED);

/** The columns of a PostRow, for a `select` with `FROM_POSTS`. */
export const POST_COLUMNS = sql`
  ${STORED_COLUMNS}, ${hasProvenNumber(sql.raw('p.author_id'))} as is_author_proven, ${PHOTOS_OF_POST} as photos,
  iif(p.found_at is null or ${isHandedOver(sql.raw('p.id'))}, null, p.found_at) as undoable_since`;
export const FROM_POSTS = sql.raw('from posts p left join communities c on c.id = p.community_id');

/** Redacts the texts of a post that have `isRedacted` in `POST_FIELDS`. */
export function redactTexts(row: StoredPost, redact: (text: string) => string): Pick<Post, Redacted> {
  const texts = REDACTED.map((name) => [name, row[name] && redact(row[name])]);
  return Object.fromEntries(texts) as Pick<Post, Redacted>;
}

/** Returns the author's values for an insert or an update, without those that the request omits. */
export function writtenValues(input: PostInput): Pick<NewRow, Written> {
  const values = WRITTEN.map((name) => [name, POST_FIELDS[name].written(input)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Pick<NewRow, Written>;
}

export type Changes = { [Name in keyof Row]?: Row[Name] | SQL };

/** Returns the assignments for `update posts set`. */
export function assignments(values: Changes): SQL {
  return list(Object.entries(values).map(([column, value]) => sql`${sql.raw(column)} = ${value}`));
}

/** The fields that matching reads: all fields that an author writes, except the phone number. */
const MATCHED = WRITTEN_FIELDS.filter((column) => column !== 'phone_number');

/** Condition of an `update`: the update changes none of the fields that matching reads. */
export function isMatchedAlike(input: Pick<PostInput, (typeof MATCHED)[number]>, communityId: string | null): SQL {
  return sql`(community_id, ${sql.raw(MATCHED.join(', '))}) is (
    ${communityId}, ${list(MATCHED.map((column) => sql`${input[column]}`))})`;
}

function list(parts: SQL[]): SQL {
  return sql.join(parts, sql`, `);
}
