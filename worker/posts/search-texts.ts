import type { PostInput, PostKind } from '#contract/posts.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import type { Row } from './post-columns.ts';
import { type Reader, redactFor } from './redact-post.ts';

export type Searched = Pick<
  PostInput,
  'title' | 'description' | 'location' | 'owner_first_name' | 'owner_last_name' | 'posted_by' | 'kept_at'
>;

/** To be raised when the texts or their rules change: the sweep then makes the texts of all posts again. Never 0. */
export const SEARCH_VERSION = 1;

/** The texts that a search looks through, by column: for the author, for others who are signed in, and for visitors. */
export type SearchTexts = Pick<Row, 'search_text' | 'reader_text' | 'visitor_text' | 'search_version'>;

/** Makes one text per kind of reader, so that nobody finds a post by text that they may not see. */
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
