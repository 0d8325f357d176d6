import type { MatchReason } from '#contract/matching.ts';
import type { PostKind } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hideContacts, hideLongNumbers } from './redact-text.ts';

/** The kinds of readers whose view of a post's texts differs. */
export type Reader = 'author' | 'deciding_admin' | 'signed_in' | 'visitor';

/** Makes what a reader may see of a text. */
type Redact = (text: string) => string;

export function readerOf({ author_id }: { author_id: string }, viewer: Viewer | null): Reader {
  if (viewer === null) return 'visitor';
  return viewer.userId === author_id ? 'author' : 'signed_in';
}

/**
 * Every text of a post passes through this before it leaves the Worker or is searched (docs/product.md V14 to V16).
 * Authors, and platform admins who decide on the post, see it unredacted; visitors see no phone numbers and e-mail
 * addresses; nobody else sees a document's number.
 * @param kind the post's. Null for a text without its post, which may be a document's.
 */
export function redactFor(reader: Reader, kind: PostKind | null): Redact {
  if (reader === 'author' || reader === 'deciding_admin') return (text) => text;
  const hideNumbers: Redact = kind === null || kind === 'document' ? hideLongNumbers : (text) => text;
  return reader === 'visitor' ? (text) => hideNumbers(hideContacts(text)) : hideNumbers;
}

/** Redacts the reasons of a match, which may quote either post. */
export function redactReasons(reasons: MatchReason[], redact: Redact): MatchReason[] {
  return reasons.map(({ kind, en, sw }) => ({ kind, en: redact(en), sw: redact(sw) }));
}
