import * as z from 'zod/mini';
import { adminCommunitySchema } from '#contract/admin.ts';
import { type FeedbackEntry, feedbackEntrySchema } from '#contract/feedback.ts';
import { LANGUAGES } from '#contract/language.ts';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { CommunityDecisionJob } from '#contract/whatsapp.ts';
import type { RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { hideAnyContact } from '#worker/posts/index.ts';

/** A community, or its new name, for a platform admin to decide on, with what is needed to notify the person who asked. */
export const decidableCommunityRow = () =>
  z.object({
    ...z.pick(adminCommunitySchema, { id: true, name: true, approval_status: true, pending_name: true }).shape,
    asker_id: z.string(),
    asker_language: z.enum(LANGUAGES),
  });
export type DecidableCommunity = RowOf<typeof decidableCommunityRow>;

/** @throws AppError community_not_found (rejected ones are deleted), or already_decided when nothing is pending. */
export function assertPending(row: DecidableCommunity | undefined): DecidableCommunity {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status === 1 && row.pending_name === null) throw new AppError('already_decided');
  return row;
}

/** The name that is decided on: the new one, if one is pending. */
export function decidedName({ name, pending_name }: DecidableCommunity): string {
  return pending_name ?? name;
}

/** @param reason of a rejection; null for an approval. */
export function toDecisionMessage(
  community: DecidableCommunity,
  reason: string | null,
  { id, now }: { id: string; now: number },
): CommunityDecisionMessage {
  return {
    type: reason === null ? 'community_approved' : 'community_rejected',
    id,
    community_id: community.id,
    name: decidedName(community),
    ...(community.pending_name !== null && { former_name: community.name }),
    reason,
    created_at: new Date(now).toISOString(),
  };
}

/**
 * The same message over WhatsApp, in the language of the person who asked. The name is written by them, and goes out from
 * our number: it loses what could lead the reader elsewhere.
 */
export function toDecisionJob(community: DecidableCommunity, message: CommunityDecisionMessage): CommunityDecisionJob {
  return {
    kind: 'community_decision',
    messageId: message.id,
    recipientId: community.asker_id,
    communityName: withoutContacts(message.name),
    outcome: message.type === 'community_approved' ? 'approved' : 'rejected',
    language: community.asker_language,
  };
}

/** A dot between two words makes a link in WhatsApp, whatever the ending. */
const LINKING_DOT = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu;
/** From here on digits may be a number to pay to or to call. */
const LONG_NUMBER = /\d(?:[^\p{L}\d]{0,2}\d){4,}/gu;

/** Folds a text to one line of plain characters, and hides phone numbers, other long numbers, addresses and links. */
function withoutContacts(text: string): string {
  const folded = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return hideAnyContact(folded).replace(LONG_NUMBER, '•••').replace(LINKING_DOT, ' ');
}

export const feedbackRow = () =>
  z.object({ ...feedbackEntrySchema.shape, seq: z.number(), created_at: z.number(), done_at: z.nullable(z.number()) });
type FeedbackRow = RowOf<typeof feedbackRow>;

export function presentFeedback({ id, email, message, created_at, done_at }: FeedbackRow): FeedbackEntry {
  return {
    id,
    email,
    message,
    created_at: new Date(created_at).toISOString(),
    done_at: done_at === null ? null : new Date(done_at).toISOString(),
  };
}
