import * as z from 'zod/mini';
import {
  type ClaimNewsMessage,
  claimNewsMessageSchema,
  LIVE_MESSAGE_TYPES,
  type LiveMessage,
} from '#contract/live-messages.ts';
import { confidenceSchema } from '#contract/matching.ts';
import type { Notice } from '#contract/notices.ts';
import { CONTACTS, POST_KINDS } from '#contract/posts.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';
import { redactFor, redactReasons } from '#worker/posts/index.ts';

/** A notice with everything that its message needs. The post's fields are null except for a match. */
const noticeRow = () =>
  z.object({
    id: z.string(),
    type: z.enum(LIVE_MESSAGE_TYPES),
    /** JSON of the whole message, except for matches and claim news. */
    body: z.nullable(z.string()),
    pair_id: z.nullable(z.string()),
    confidence: z.nullable(confidenceSchema),
    post_id: z.nullable(z.string()),
    your_post_id: z.nullable(z.string()),
    title: z.nullable(z.string()),
    location: z.nullable(z.string()),
    kept_at: z.nullable(z.string()),
    owner_first_name: z.nullable(z.string()),
    owner_last_name: z.nullable(z.string()),
    kind: z.nullable(z.enum(POST_KINDS)),
    contact: z.nullable(z.enum(CONTACTS)),
    phone_number: z.nullable(z.string()),
    post_created_at: z.nullable(z.number()),
    score: z.nullable(z.number()),
    reasons: z.nullable(z.string()),
    shares_identifier: z.nullable(flag()),
    created_at: z.number(),
    place_in_day: z.nullable(z.number()),
    claim_id: z.nullable(z.string()),
    claimed_post_id: z.nullable(z.string()),
    claimed_title: z.nullable(z.string()),
    claimed_kind: z.nullable(z.enum(POST_KINDS)),
    is_to_finder: z.nullable(flag()),
  });
type NoticeRow = RowOf<typeof noticeRow>;
/** A notice to deliver to its recipient's mailbox, or to retract from it. */
export const undeliveredNoticeRow = () =>
  z.object({
    ...noticeRow().shape,
    recipient_id: z.string(),
    /** 0 when a post has since been found, deleted or hidden, or the pair dismissed: then the notice is retracted. */
    is_true: flag(),
  });
export type UndeliveredNotice = RowOf<typeof undeliveredNoticeRow>;
/** What an e-mail or WhatsApp message says about a notice. */
export const untoldNoticeRow = () =>
  z.object({ ...z.pick(noticeRow(), { id: true, title: true, kind: true, claim_id: true }).shape, is_match: flag() });
/** A notice in its recipient's list. */
export const pastNoticeRow = () => z.object({ ...noticeRow().shape, read_at: z.nullable(z.number()), is_open: flag() });
type PastNotice = RowOf<typeof pastNoticeRow>;

/**
 * The message that the recipient is shown (docs/product.md V21).
 * @param maxNumbers of how many notices a day show a phone number; null without a limit.
 */
export function toLiveMessage(row: NoticeRow, maxNumbers: number | null): LiveMessage {
  if (isClaimNews(row.type)) return toClaimNews(row, row.type);
  if (row.type !== 'matching_post') return JSON.parse(row.body ?? '') as LiveMessage;
  const redact = redactFor('signed_in', row.kind);
  return {
    type: 'matching_post',
    id: row.id,
    pair_id: row.pair_id ?? '',
    confidence: row.confidence ?? 'sure',
    post_id: row.post_id ?? '',
    your_post_id: row.your_post_id ?? '',
    title: redact(row.title ?? ''),
    location: redact(row.location ?? ''),
    kept_at: row.kept_at && redact(row.kept_at),
    owner_first_name: redact(row.owner_first_name ?? ''),
    owner_last_name: redact(row.owner_last_name ?? ''),
    ...toContact(row, maxNumbers),
    created_at: new Date(row.post_created_at ?? 0).toISOString(),
    score: row.score ?? 0,
    reasons: redactReasons(wordReasons(row.reasons ?? '[]'), redact),
  };
}

function isClaimNews(type: LiveMessage['type']): type is ClaimNewsMessage['type'] {
  return claimNewsMessageSchema.shape.type.options.some((option) => option === type);
}

/** Contains nothing of what was said in the claim, as others may see the screen. */
function toClaimNews(row: NoticeRow, type: ClaimNewsMessage['type']): ClaimNewsMessage {
  const redact = redactFor(row.is_to_finder === 1 ? 'author' : 'signed_in', row.claimed_kind);
  return {
    type,
    id: row.id,
    claim_id: row.claim_id ?? '',
    post_id: row.claimed_post_id ?? '',
    title: redact(row.claimed_title ?? ''),
    created_at: new Date(row.created_at).toISOString(),
  };
}

/** `place_in_day` counts the day's notices with a number, and is 0 for one without. */
function toContact(row: NoticeRow, maxNumbers: number | null) {
  const { phone_number, place_in_day, created_at } = row;
  if (!place_in_day || row.contact === 'claim' || row.shares_identifier === 1)
    return { phone_number: null, is_contact_limited: false, contact_opens_at: null };
  const isLimited = maxNumbers !== null && place_in_day > maxNumbers;
  return {
    phone_number: isLimited ? null : phone_number,
    is_contact_limited: isLimited,
    contact_opens_at: isLimited ? new Date(endOfDay(created_at)).toISOString() : null,
  };
}

export function presentNotice(row: PastNotice, maxNumbers: number | null): Notice {
  return {
    message: toLiveMessage(row, maxNumbers),
    noticed_at: new Date(row.created_at).toISOString(),
    read_at: row.read_at === null ? null : new Date(row.read_at).toISOString(),
    is_open: row.is_open === 1,
  };
}
