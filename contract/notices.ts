import * as z from 'zod/mini';
import { timePageShape, timeSchema } from './fields.ts';
import { NOTICE_IDS_MAX } from './limits.ts';
import { liveMessageSchema } from './live-messages.ts';

// The endpoints for the list of a user's notices. They also work while the user has no WebSocket open.

/** `GET /api/notices?cursor=&limit=` (token): newest first, the next page in a `Link` header. */
export const noticeListQuerySchema = z.object(timePageShape);
export type NoticeListQuery = z.infer<typeof noticeListQuerySchema>;

const noticeIdSchema = z.string({ error: 'text_invalid' }).check(z.maxLength(64, { error: 'text_too_long' }));

/**
 * `POST /api/notices/read` (token) → 200 `{ unread_count }`. Marks as read the notices in `ids`, the notice `up_to`,
 * and all notices older than `up_to`. Ignores ids of other people's notices. Read notices are not sent again.
 */
export const readNoticesSchema = z.object({
  ids: z._default(z.array(noticeIdSchema, { error: 'text_invalid' }).check(z.maxLength(NOTICE_IDS_MAX)), []),
  up_to: z._default(z.nullable(noticeIdSchema), null),
});
export type ReadNotices = z.infer<typeof readNoticesSchema>;

/**
 * A notice. `POST /api/notices/{id}/dismiss`, with a token, records that the notice's match is wrong, and answers 204.
 */
const noticeSchema = z.object({
  /** The message as it was sent over the socket. */
  message: liveMessageSchema,
  /** When the notice was created. */
  noticed_at: timeSchema,
  read_at: z.nullable(timeSchema),
  /**
   * Whether the user can still act on the notice. False for `matching_post` if one of the two posts is not open. False
   * for `still_looking` if the user's post is not open, or no longer waits for the user's answer.
   */
  is_open: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** The count of unread notices, up to `UNREAD_COUNT_MAX`. */
export const unreadCountSchema = z.object({ unread_count: z.number() });
export type UnreadCount = z.infer<typeof unreadCountSchema>;

export const noticeListSchema = z.object({ unread_count: z.number(), notices: z.array(noticeSchema) });
export type NoticeList = z.infer<typeof noticeListSchema>;
