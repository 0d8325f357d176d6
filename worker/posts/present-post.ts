import * as z from 'zod/mini';
import { DAY_MS } from '#contract/durations.ts';
import { FOUND_UNDO_SECONDS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Post, PostState } from '#contract/posts.ts';
import {
  canSee,
  canSeePhotos,
  isKnownToBeForMembers,
  photoAudienceOf,
  readHiddenBy,
} from '#worker/conditions/posts.ts';
import { flag, type RowOf } from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { presentPhotos } from '#worker/photos/present-photos.ts';
import { hideAnyContact, readerOf, redactFor } from '#worker/redaction/redact-for.ts';
import { type PostRow, postRow, redactTexts } from './post-columns.ts';

/** The row of a single post, with whether the viewer may open the post. */
export const postRowForViewer = () => z.object({ ...postRow().shape, is_opened: flag() });
export type PostRowForViewer = RowOf<typeof postRowForViewer>;

/**
 * Returns the post as this viewer may see it. All posts that the Worker sends pass through this function.
 * @param numbers which phone numbers the viewer may see, besides those of their own posts.
 */
export function presentPost(
  row: PostRow,
  asker: Asker,
  numbers = NO_NUMBERS,
  reader = readerOf(row, asker.viewer),
): Post {
  const { viewer, config } = asker;
  const redact = redactFor(reader, row.kind);
  const contact = presentContact(row, viewer, numbers);
  return {
    id: row.id,
    ...redactTexts(row, redact),
    ...contact,
    is_author_proven: contact.phone_number === null ? null : row.is_author_proven === 1,
    posted_by: row.posted_by,
    on_behalf: row.on_behalf === 1,
    kind: row.kind,
    claim_question: presentQuestion(row, viewer),
    ...(viewer?.userId === row.author_id && { private_marks: row.private_marks }),
    community_code: row.community_code,
    community_name: row.community_name,
    is_found: row.is_found === 1,
    state: stateOf(row),
    contact: row.contact,
    is_mine: viewer?.userId === row.author_id,
    is_hidden: row.hidden_by !== 0,
    hidden_by: readHiddenBy(row.hidden_by),
    hidden_reason: row.hidden_by === 0 ? null : row.hidden_reason,
    photos: canSeePhotos(row, viewer)
      ? presentPhotos(row.photos, { audience: photoAudienceOf(row), key: config.keys.photo, redact })
      : [],
    created_at: new Date(row.created_at).toISOString(),
    found_until: viewer?.userId === row.author_id ? foundUntil(row) : null,
    ...(viewer?.userId === row.author_id && {
      has_identifiers: row.has_identifiers === 1,
      rests_at: stateOf(row) === 'open' ? restsAt(row).toISOString() : null,
    }),
  };
}

/**
 * Returns the question to claimants. Signed-in people other than the author see the question only while the post can be
 * claimed. Visitors never see the question.
 */
function presentQuestion(row: PostRow, viewer: Viewer | null): string | null {
  if (viewer === null || row.claim_question === null) return null;
  if (viewer.userId === row.author_id) return row.claim_question;
  const isClaimable = row.posted_by === 'finder' && stateOf(row) === 'open';
  return isClaimable ? hideAnyContact(row.claim_question) : null;
}

function stateOf({ is_found, hidden_by, away_since, outcome }: PostRow): PostState {
  if (is_found === 1) return 'returned';
  if (hidden_by !== 0) return 'hidden';
  if (away_since === null) return 'open';
  return outcome === null ? 'resting' : 'closed';
}

function restsAt({ renewed_at, created_at }: PostRow): Date {
  return new Date((renewed_at ?? created_at) + POST_RESTS_AFTER_DAYS * DAY_MS);
}

function foundUntil({ undoable_since }: PostRow): string | null {
  if (undoable_since === null) return null;
  const until = undoable_since + FOUND_UNDO_SECONDS * 1000;
  return until < Date.now() ? null : new Date(until).toISOString();
}

/** Returns the unredacted post, for platform admins who decide on the post at /admin. */
export function presentToAdmin(row: PostRow, admin: Asker): Post {
  return presentPost(row, admin, ALL_NUMBERS, 'deciding_admin');
}

/**
 * Returns the post as visitors see it at the post's own URL. For a community's post, visitors learn only that the post
 * exists.
 */
export function presentToAnybody(
  row: PostRowForViewer | undefined,
  config: Asker['config'],
): Post | 'for_members' | 'absent' {
  if (!row) return 'absent';
  if (canSee(row, null)) return presentPost(row, { viewer: null, config });
  return isKnownToBeForMembers(row) ? 'for_members' : 'absent';
}

export type Asker = { viewer: Viewer | null; config: { keys: { photo: string } } };

/**
 * `has`: whether the viewer may see the phone number of the post with this `seq` today. `opensAt`: when the viewer may
 * see more phone numbers, which is the end of the day in Tanzania, in milliseconds.
 */
export type GivenNumbers = { has: (seq: number) => boolean; opensAt: number | null };

export const NO_NUMBERS: GivenNumbers = { has: () => false, opensAt: null };
export const ALL_NUMBERS: GivenNumbers = { has: () => true, opensAt: null };

/**
 * Decides whether the viewer sees the phone number in a post (docs/product.md V11 to V13). Visitors never see it. If
 * the author is contacted by claims, only the author sees it. `toContact` decides for notices, and `areNumbersShown`
 * for claims.
 */
function presentContact(
  row: PostRow,
  viewer: Viewer | null,
  numbers: GivenNumbers,
): Pick<Post, 'phone_number' | 'is_contact_limited' | 'contact_opens_at'> {
  const isMine = row.author_id === viewer?.userId;
  if (viewer === null || (row.contact === 'claim' && !isMine))
    return { phone_number: null, is_contact_limited: false, contact_opens_at: null };
  const isGiven = isMine || numbers.has(row.seq);
  if (isGiven) return { phone_number: row.phone_number, is_contact_limited: false, contact_opens_at: null };
  const opensAt = numbers.opensAt === null ? null : new Date(numbers.opensAt).toISOString();
  return { phone_number: null, is_contact_limited: true, contact_opens_at: opensAt };
}
