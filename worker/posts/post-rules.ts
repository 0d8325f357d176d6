import * as z from 'zod/mini';
import { DAY_MS } from '#contract/durations.ts';
import { FOUND_UNDO_SECONDS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Post, PostState } from '#contract/posts.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { presentPhotos } from '#worker/photos/index.ts';
import { ALL_NUMBERS, type Asker, NO_NUMBERS, presentContact } from './number-rules.ts';
import { type PostRow, postRow } from './post-columns.ts';
import { hideAnyContact } from './redact-claim.ts';
import { readerOf, redactFor } from './redact-post.ts';
import { canSee, canSeePhotos, isKnownToBeForMembers, photoAudienceOf, readHiddenBy } from './visibility.ts';

/** A single post, with whether the viewer may open it. */
export const postRowForViewer = () => z.object({ ...postRow().shape, is_opened: flag() });
export type PostRowForViewer = RowOf<typeof postRowForViewer>;

/**
 * What this viewer may see of a post. Posts leave the Worker only through here.
 * @param numbers which phone numbers they may see, besides those of their own posts.
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
    title: redact(row.title),
    owner_first_name: redact(row.owner_first_name),
    owner_last_name: redact(row.owner_last_name),
    location: redact(row.location),
    kept_at: row.kept_at && redact(row.kept_at),
    ...contact,
    is_author_proven: contact.phone_number === null ? null : row.is_author_proven === 1,
    description: redact(row.description),
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

/** The question to claimants. Others than the author see it only while the post can be claimed. */
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

/** A post as platform admins see it at /admin to decide on it: unredacted. */
export function presentToAdmin(row: PostRow, admin: Asker): Post {
  return presentPost(row, admin, ALL_NUMBERS, 'deciding_admin');
}

/** What visitors see at a post's own address. Of a community's post they learn only that it exists, for members. */
export function presentToAnybody(
  row: PostRowForViewer | undefined,
  config: Asker['config'],
): Post | 'for_members' | 'absent' {
  if (!row) return 'absent';
  if (canSee(row, null)) return presentPost(row, { viewer: null, config });
  return isKnownToBeForMembers(row) ? 'for_members' : 'absent';
}

/** @throws AppError post_not_found, for hidden and missing posts alike. */
export function assertVisible<Row extends PostRowForViewer>(row: Row | undefined, viewer: Viewer | null): Row {
  if (!row || !canSee(row, viewer)) throw new AppError('post_not_found');
  return row;
}

/** @throws AppError post_not_found, or forbidden for a visible post of somebody else. */
export function assertAuthor<Row extends PostRowForViewer>(row: Row | undefined, viewer: Viewer): Row {
  const visible = assertVisible(row, viewer);
  if (visible.author_id !== viewer.userId) throw new AppError('forbidden');
  return visible;
}

export const communityForViewerRow = () =>
  z.object({ id: z.string(), approval_status: flag(), is_member: flag(), is_admin: flag(), is_suspended: flag() });
export type CommunityForViewer = RowOf<typeof communityForViewerRow>;

/**
 * The id of the community that a post goes to, or null for the public.
 * @throws AppError not_a_member, both for unknown codes and for communities that the author is not in, so that nobody can
 * probe which codes exist; community_not_approved; community_suspended.
 */
export function chooseCommunity(code: string | null, community: CommunityForViewer | undefined): string | null {
  if (code === null) return null;
  if (community?.is_member !== 1) throw new AppError('not_a_member');
  if (community.approval_status !== 1) throw new AppError('community_not_approved');
  assertNotSuspended(community);
  return community.id;
}

/** @throws AppError community_suspended to members of a suspended community who are not its admins. */
export function assertNotSuspended({ is_suspended, is_admin }: CommunityForViewer): void {
  if (is_suspended === 1 && is_admin === 0) throw new AppError('community_suspended');
}
