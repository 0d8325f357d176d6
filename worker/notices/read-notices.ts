import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { POST_KINDS } from '#contract/kinds.ts';
import {
  type ClaimNewsMessage,
  claimNewsMessageSchema,
  LIVE_MESSAGE_TYPES,
  type LiveMessage,
} from '#contract/live-messages.ts';
import { CONTACTS, confidenceSchema } from '#contract/posts.ts';
import { isOpen, isShownTo } from '#worker/conditions/posts.ts';
import type { Db, Query } from '#worker/db/client.ts';
import { flag, idsOf, queryRows, type RowOf } from '#worker/db/statements.ts';
import { endOfDay } from '#worker/limits/limits.ts';
import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';
import { redactFor, redactReasons } from '#worker/redaction/redact-for.ts';

/** The columns of a NoticeRow, for a `select` from `notices n` with `JOIN_PAIR_AND_POSTS`. */
export const NOTICE_COLUMNS = sql.raw(`
  n.id, n.type, n.body, n.pair_id, n.confidence, n.post_id, n.your_post_id, p.title, p.location, p.kept_at, p.owner_first_name, p.owner_last_name,
  p.kind, p.contact, p.phone_number, p.created_at as post_created_at, m.score, m.reasons, m.shares_identifier, n.created_at, n.place_in_day,
  n.claim_id, k.post_id as claimed_post_id, k.post_title as claimed_title, k.post_kind as claimed_kind,
  k.finder_id = n.recipient_id as is_to_finder`);
/**
 * Condition: `m` is the pair of the notice `n`. A notice about a sure match must also be the notice that the pair names
 * as its own (`m.notice_id`). If `n` is unread, the pair must still match.
 */
export const IS_ITS_PAIR = sql.raw(`m.id = n.pair_id and (n.confidence = 'possible' or m.notice_id = n.id)
  and (m.is_current = 1 or n.read_at is not null)`);
export const JOIN_PAIR_AND_POSTS = sql`
  left join match_pairs m on ${IS_ITS_PAIR}
  left join posts p on p.id = n.post_id
  left join posts y on y.id = n.your_post_id
  left join claims k on k.id = n.claim_id`;

/** Condition: the person has dismissed the pair `m`, so that the person no longer sees it. */
export function hasDismissed(userId: SQL): SQL {
  return sql`exists (
    select 1 from match_answers d where d.pair_id = m.id and d.user_id = ${userId} and d.answer = 'dismissed')`;
}

export const IS_DISMISSED = sql`(m.dismissed_at is not null or ${hasDismissed(sql.raw('n.recipient_id'))})`;

/**
 * Condition: the recipient may see the matching post and has not dismissed the match. Always true for notices of other
 * types.
 */
export const IS_SHOWN = sql`(n.type <> 'matching_post' or (
  m.id is not null and not ${IS_DISMISSED} and y.id is not null and p.id is not null
  and ${isShownTo('p', sql.raw('n.recipient_id'))}))`;
/**
 * Condition: the recipient can still act on the notice `n`. The notice `still_looking` asks the author whether they are
 * still looking, and needs no answer once the author has edited or ended the post.
 */
export const IS_OPEN = sql`(case n.type
  when 'matching_post' then ${isOpen('p')} and ${isOpen('y')}
  when 'still_looking' then coalesce(${isOpen('y')} and y.times_asked > 0, 0)
  else 1 end)`;

/**
 * Statement: selects the notices whose current state has not reached their recipients' mailboxes, oldest first.
 * @param some a query for the ids of the notices to consider, in a column `id`.
 */
export function readUndelivered(db: Db, some: SQL): Query<UndeliveredNotice> {
  return queryRows(db, undeliveredNoticeRow)`
    select ${NOTICE_COLUMNS}, n.recipient_id,
      coalesce(${IS_SHOWN} and ${IS_OPEN}, 0) as is_true
    from (${some}) j cross join notices n on n.id = j.id ${JOIN_PAIR_AND_POSTS}
    where n.delivered_at is null
    order by n.created_at, n.id`;
}

/**
 * Reads the person's notices that are unread and still true, oldest first. The title of a match's notice is the title
 * of the person's own post.
 */
async function readUnread(db: Db, userId: string, ids: string[]) {
  return queryRows(db, waitingNoticeRow)`
    select n.id, n.type = 'matching_post' as is_match, n.claim_id, coalesce(y.kind, k.post_kind) as kind,
      coalesce(y.title, k.post_title, n.body ->> 'title') as title
    from json_each(${JSON.stringify(ids)}) j cross join notices n on n.id = j.value ${JOIN_PAIR_AND_POSTS}
    where n.recipient_id = ${userId} and n.read_at is null and ${IS_SHOWN} and ${IS_OPEN}
    order by n.created_at, n.id`;
}

/**
 * The row of a notice with all data that its message needs. The fields of the post are null unless the notice is about
 * a match.
 */
export const noticeRow = () =>
  z.object({
    id: z.string(),
    type: z.enum(LIVE_MESSAGE_TYPES),
    /**
     * The whole message as JSON. Null for matches and for notices about claims, whose messages are composed from other
     * rows.
     */
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
/** A notice to deliver to its recipient's mailbox, or to retract from the mailbox. */
const undeliveredNoticeRow = () =>
  z.object({
    ...noticeRow().shape,
    recipient_id: z.string(),
    /**
     * Whether the notice is still true. 0 if a post was marked as found, deleted or hidden, or if the pair was
     * dismissed: the notice is then retracted from the mailbox.
     */
    is_true: flag(),
  });
export type UndeliveredNotice = RowOf<typeof undeliveredNoticeRow>;
/** What an e-mail or WhatsApp message contains about one notice. */
const waitingNoticeRow = () =>
  z.object({ ...z.pick(noticeRow(), { id: true, title: true, kind: true, claim_id: true }).shape, is_match: flag() });

/**
 * Composes the message that the recipient sees (docs/product.md V21).
 * @param maxNumbers how many notices a day may show a phone number; null if there is no limit.
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

/**
 * Composes a notice about a claim. The notice quotes nothing from the claim, because other people may see the screen.
 */
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

/**
 * Returns the phone number that a notice shows, or null. `place_in_day` is the notice's position among the day's
 * notices with a phone number; 0 if the notice has no phone number.
 */
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

/**
 * What an e-mail or WhatsApp message says about waiting notices: the subject of the first notice, and how many wait.
 */
export type WaitingNotices = {
  isMatch: boolean;
  claimId: string | null;
  title: string;
  waiting: number;
  /** The given ids, except those of notices that no longer wait. */
  noticeIds: string[];
};

/**
 * Reads what a message about these notices says. Titles contain no phone numbers, not even the recipient's own.
 * @param waiting the count of waiting notices, including those that are not in `noticeIds`.
 * @returns null if none of the notices still waits.
 */
export async function readWaiting(
  db: Db,
  { userId, noticeIds, waiting }: { userId: string; noticeIds: string[]; waiting: number },
): Promise<WaitingNotices | null> {
  const rows = await readUnread(db, userId, noticeIds);
  const [first] = rows;
  if (!first) return null;
  return {
    isMatch: first.is_match === 1,
    claimId: first.claim_id,
    title: redactFor('visitor', first.kind)(first.title ?? ''),
    waiting: waiting - (noticeIds.length - rows.length),
    noticeIds: idsOf(rows),
  };
}
