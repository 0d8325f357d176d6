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
 * Increase this when the texts or their rules change: the sweep then makes the texts of all posts again. Never 0, the
 * column's default, which marks a post without texts.
 */
export const SEARCH_VERSION = 1;

/** The texts that a search looks through, by column: for the author, for other signed-in people, and for visitors. */
export type SearchTexts = Pick<Row, 'search_text' | 'reader_text' | 'visitor_text' | 'search_version'>;

/** Makes one text for each kind of reader, so that nobody finds a post by text that they may not see. */
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
 * Returns the category and the search texts, which depend on it, for `assignments`. The author's category, stated now
 * or before, takes precedence over the one derived from the text.
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
 * Statement: stores the category derived from the post's text, unless the author has stated a category or edited the
 * post.
 */
export function renewKind(db: Db, post: StoredPost, readKind: PostKind) {
  return db.repeatable.run(sql`
    update posts set ${assignments(kindValues({ ...post, kind: undefined }, readKind, post.community_id))}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind <> coalesce(own_kind, ${readKind})`);
}

/** One batch takes the database some tenths of a second; three per sweep are 18,000 posts an hour. */
const POSTS_AT_ONCE = 100;
const BATCHES_PER_SWEEP = 3;

/**
 * Renews the search texts and index entries of posts after SEARCH_VERSION has changed; the sweep calls this function.
 * The batches are small, because people search at the same time. The newest posts come first, as in a search.
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

/** Statement: stores the new texts. Skips a post that was edited in the meantime, as it already has them. */
function renewText(db: Db, post: PostRow) {
  const texts = searchTextsOf(post, post.kind, post.community_id);
  return db.repeatable.run(sql`
    update posts set ${assignments(texts)}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind = ${post.kind}`);
}
