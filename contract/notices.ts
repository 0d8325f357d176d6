import * as z from 'zod/mini';

import { NOTICE_IDS_MAX } from './limits.ts';
import { liveMessageSchema } from './live-messages.ts';
import { timePageShape } from './paging.ts';
import { timeSchema } from './time.ts';

// Beside the contract's routes: what a person was told stays readable when no socket is open.

/** `GET /api/notices?cursor=&limit=` (token): newest first, the next page in a `Link` header. */
export const noticeListQuerySchema = z.object(timePageShape);
export type NoticeListQuery = z.infer<typeof noticeListQuerySchema>;

const noticeIdSchema = z.string({ error: 'text_invalid' }).check(z.maxLength(64, { error: 'text_too_long' }));

/**
 * `POST /api/notices/read` (token) → 200 `{ unread_count }`. Marks those of `ids`, and `up_to` with everything older.
 * What is not the caller's is ignored. A notice that was read is not sent again.
 */
export const readNoticesSchema = z.object({
  ids: z._default(z.array(noticeIdSchema, { error: 'text_invalid' }).check(z.maxLength(NOTICE_IDS_MAX)), []),
  up_to: z._default(z.nullable(noticeIdSchema), null),
});
export type ReadNotices = z.infer<typeof readNoticesSchema>;

/** One thing a person was told. `POST /api/notices/{id}/dismiss` (token) → 204 says that a match is not theirs. */
export const noticeSchema = z.object({
  /** As it went over the socket. */
  message: liveMessageSchema,
  /** When they were told. */
  noticed_at: timeSchema,
  read_at: z.nullable(timeSchema),
  /** False once either post of a match is open no more, or a question is answered; always true for what tells of neither. */
  is_open: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** `unread_count` stops counting at `UNREAD_COUNT_MAX`. */
export const unreadCountSchema = z.object({ unread_count: z.number() });
export type UnreadCount = z.infer<typeof unreadCountSchema>;

export const noticeListSchema = z.object({ unread_count: z.number(), notices: z.array(noticeSchema) });
export type NoticeList = z.infer<typeof noticeListSchema>;
