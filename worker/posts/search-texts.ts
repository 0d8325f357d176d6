import { sql } from 'drizzle-orm';
import type { PostKind } from '#contract/kinds.ts';
import type { PostInput } from '#contract/posts.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { queryRows } from '#worker/db/statements.ts';
import { type Reader, redactFor } from '#worker/redaction/redact-for.ts';
import {
  assignments,
  type Changes,
  FROM_POSTS,
  isMatchedAlike,
  POST_COLUMNS,
  type PostRow,
  postRow,
  type Row,
  type StoredPost,
} from './post-columns.ts';

type Searched = Pick<
  PostInput,
  'title' | 'description' | 'location' | 'owner_first_name' | 'owner_last_name' | 'posted_by' | 'kept_at'
>;

/**
 * Increase this version when the texts or the rules for them change: the clean-up job (sweep) then makes the texts of
 * all posts again. The version is never 0, the column's default, which marks a post without texts.
 */
export const SEARCH_VERSION = 1;

/**
 * The texts of a post in which searches look for words: one for the author, one for other signed-in people, and one for
 * visitors.
 */
export type SearchTexts = Pick<Row, 'search_text' | 'reader_text' | 'visitor_text' | 'search_version'>;

/** Makes a text for each kind of reader. A reader cannot find a post by words that the reader may not see. */
export function searchTextsOf(post: Searched, kind: PostKind, communityId: string | null): SearchTexts {
  const [whole, read] = [searchTextOf(post, 'author', kind), searchTextOf(post, 'signed_in', kind)];
  return {
    search_text: whole,
    reader_text: read === whole ? null : read,
    visitor_text: communityId === null ? searchTextOf(post, 'visitor', kind) : null,
    search_version: SEARCH_VERSION,
  };
}

function searchTextOf(post: Searched, reader: Reader, kind: PostKind): string {
  const redact = redactFor(reader, kind);
  const name = `${redact(post.owner_first_name)} ${redact(post.owner_last_name)}`;
  const keptAt = post.posted_by === 'finder' && post.kept_at ? [redact(post.kept_at)] : [];
  return toSearchText([redact(post.title), redact(post.description), redact(post.location), name, ...keptAt]);
}

/**
 * Returns the values of the columns for the kind and for the search texts, which depend on the kind. A kind that the
 * author has chosen takes precedence over the kind read from the text.
 */
export function kindValues(
  input: Searched & Pick<PostInput, 'kind'>,
  readKind: PostKind,
  communityId: string | null,
): Changes {
  const own = input.kind === undefined ? sql.raw('own_kind') : sql`${input.kind}`;
  const kind = sql`coalesce(${own}, ${readKind})`;
  const [document, other] = [
    searchTextsOf(input, 'document', communityId),
    searchTextsOf(input, 'other', communityId),
  ] as const;
  const text = (column: keyof typeof document) => sql`iif(${kind} = 'document', ${document[column]}, ${other[column]})`;
  return {
    own_kind: own,
    kind,
    ...document,
    reader_text: text('reader_text'),
    visitor_text: text('visitor_text'),
  };
}

/**
 * Statement: stores the kind that was read from the post's text. Does nothing if the author has chosen a kind or has
 * edited the post.
 */
export function renewKind(db: Db, post: StoredPost, readKind: PostKind) {
  return db.repeatable.run(sql`
    update posts set ${assignments(kindValues({ ...post, kind: undefined }, readKind, post.community_id))}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind <> coalesce(own_kind, ${readKind})`);
}

/**
 * How many posts a batch renews. One batch takes the database some tenths of a second. Three batches a minute renew
 * 18,000 posts an hour.
 */
const POSTS_AT_ONCE = 100;
const BATCHES_PER_SWEEP = 3;

/**
 * Renews the search texts and index entries of posts after SEARCH_VERSION has changed. The clean-up job (sweep) calls
 * this function. The batches are small, so that they do not slow down searches. The newest posts are renewed first,
 * because searches list them first.
 */
export async function renewTexts(db: Db): Promise<void> {
  for (let round = 0; round < BATCHES_PER_SWEEP; round++) {
    const outdated = await listOutdated(db);
    if (outdated.length === 0) return;
    await batch(db.repeatable, { updatePosts: outdated.map((post) => renewText(db, post)) });
  }
}

function listOutdated(db: Db): Promise<PostRow[]> {
  return queryRows(db, postRow)`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.search_version = (select min(search_version) from posts) and p.search_version < ${SEARCH_VERSION}
    order by p.seq desc limit ${POSTS_AT_ONCE}`;
}

/**
 * Statement: stores the new texts. Skips a post that was edited in the meantime, because the edit has already stored
 * new texts.
 */
function renewText(db: Db, post: PostRow) {
  const texts = searchTextsOf(post, post.kind, post.community_id);
  return db.repeatable.run(sql`
    update posts set ${assignments(texts)}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind = ${post.kind}`);
}
