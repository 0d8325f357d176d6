import type { MatchReason } from '#contract/matching.ts';
import type { PostKind } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hideContacts, hideLongNumbers } from './redact-text.ts';

/** Who reads a post, as far as its texts are concerned. */
export type Reader = 'author' | 'deciding_admin' | 'signed_in' | 'visitor';

/** What a reader gets of a text. */
export type Redact = (text: string) => string;

export function readerOf({ author_id }: { author_id: string }, viewer: Viewer | null): Reader {
  if (viewer === null) return 'visitor';
  return viewer.userId === author_id ? 'author' : 'signed_in';
}

/**
 * What every text of a post goes through before it leaves the Worker, or is searched: an author sees it whole, and so does
 * a platform admin who decides on it (exception 2 of the contract's second part), a visitor
 * neither phone numbers nor e-mail addresses, and nobody else a document's number.
 * @param kind the post's; one that nobody has read yet may be a document.
 */
export function redactFor(reader: Reader, kind: PostKind | null): Redact {
  if (reader === 'author' || reader === 'deciding_admin') return (text) => text;
  const hideNumbers: Redact = kind === null || kind === 'document' ? hideLongNumbers : (text) => text;
  return reader === 'visitor' ? (text) => hideNumbers(hideContacts(text)) : hideNumbers;
}

/** Why two posts were put together, in words that may be those of either. */
export function redactReasons(reasons: MatchReason[], redact: Redact): MatchReason[] {
  return reasons.map(({ kind, en, sw }) => ({ kind, en: redact(en), sw: redact(sw) }));
}
