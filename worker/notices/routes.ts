import { Hono } from 'hono';
import type { NoticeList, UnreadCount } from '#contract/notices.ts';
import { noticeListQuerySchema, readNoticesSchema } from '#contract/notices.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { inForce } from '#worker/limits/in-force.ts';
import { NUMBERS_A_DAY } from '#worker/limits/limits.ts';
import { deliverNotices } from './deliver-notices.ts';
import { dismissForBoth, listNotices, markRead } from './list-store.ts';
import { presentNotice } from './notice-rules.ts';
import { tryMailbox } from './try-mailbox.ts';

/** A person's notices. contract/notices.ts describes the routes. */
export const noticeRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, validate('query', noticeListQuerySchema), async (c) => {
    const { rows, nextCursor, unreadCount } = await listNotices(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    const maxNumbers = inForce(c.var.config, NUMBERS_A_DAY.notices);
    return c.json({
      unread_count: unreadCount,
      notices: rows.map((row) => presentNotice(row, maxNumbers)),
    } satisfies NoticeList);
  })
  .post('/read', requireViewer, requireJson, validate('json', readNoticesSchema), async (c) => {
    const { ids, unreadCount } = await markRead(c.var.db, c.var.viewer, c.req.valid('json'), Date.now());
    // If a read notice is sent again after all, the client knows it and acknowledges it without showing it.
    if (ids.length > 0)
      continueAfterAnswer(
        c,
        tryMailbox(c.env, c.var.viewer.userId, (mailbox) => mailbox.retract(ids)),
      );
    return c.json({ unread_count: unreadCount } satisfies UnreadCount);
  })
  .post('/:id/dismiss', requireViewer, async (c) => {
    const { isKnown, noticeIds } = await dismissForBoth(c.var.db, c.var.viewer, c.req.param('id'), Date.now());
    if (!isKnown) throw new AppError('not_found');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  });
