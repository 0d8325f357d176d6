import * as z from 'zod/mini';
import { timePageShape, timeSchema } from './fields.ts';
import { NOTICE_IDS_MAX } from './limits.ts';
import { liveMessageSchema } from './live-messages.ts';

// The list of a person's notices, which is readable without an open socket.

/** `GET /api/notices?cursor=&limit=` (token): newest first, the next page in a `Link` header. */
export const noticeListQuerySchema = z.object(timePageShape);
export type NoticeListQuery = z.infer<typeof noticeListQuerySchema>;

const noticeIdSchema = z.string({ error: 'text_invalid' }).check(z.maxLength(64, { error: 'text_too_long' }));

/**
 * `POST /api/notices/read` (token) → 200 `{ unread_count }`. Marks `ids`, and `up_to` with everything older, as read.
 * Ids that are not the caller's are ignored. Read notices are not sent again.
 */
export const readNoticesSchema = z.object({
  ids: z._default(z.array(noticeIdSchema, { error: 'text_invalid' }).check(z.maxLength(NOTICE_IDS_MAX)), []),
  up_to: z._default(z.nullable(noticeIdSchema), null),
});
export type ReadNotices = z.infer<typeof readNoticesSchema>;

/** One notice. `POST /api/notices/{id}/dismiss` (token) → 204 says that a match is not theirs. */
const noticeSchema = z.object({
  /** As sent over the socket. */
  message: liveMessageSchema,
  /** When the notice was created. */
  noticed_at: timeSchema,
  read_at: z.nullable(timeSchema),
  /** False once a post of the match is no longer open, or the question is answered; always true for other notices. */
  is_open: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** `unread_count` is counted up to `UNREAD_COUNT_MAX`. */
export const unreadCountSchema = z.object({ unread_count: z.number() });
export type UnreadCount = z.infer<typeof unreadCountSchema>;

export const noticeListSchema = z.object({ unread_count: z.number(), notices: z.array(noticeSchema) });
export type NoticeList = z.infer<typeof noticeListSchema>;
