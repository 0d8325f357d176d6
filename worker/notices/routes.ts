import { Hono } from 'hono';
import { noticeSettingsSchema } from '#contract/channels.ts';
import { type NoticeList, noticeListQuerySchema, readNoticesSchema, type UnreadCount } from '#contract/notices.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppEnv, continueAfterAnswer, linkNextPage } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { inForce, NUMBERS_A_DAY } from '#worker/limits/limits.ts';
import { dismissForBoth } from '#worker/matching/answer-pair.ts';
import { tryMailbox } from './deliver-notices.ts';
import { listNotices, markRead, presentNotice } from './list-notices.ts';
import { readSettings, writeSettings } from './settings.ts';

/** The routes of notices, below `/api`. */
export const noticeRoutes = new Hono<AppEnv>()
  // The routes for a person's notices. contract/notices.ts describes the routes.
  .get('/notices', requireViewer, validate('query', noticeListQuerySchema), async (c) => {
    const { rows, nextCursor, unreadCount } = await listNotices(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    const maxNumbers = inForce(c.var.config, NUMBERS_A_DAY.notices);
    return c.json({
      unread_count: unreadCount,
      notices: rows.map((row) => presentNotice(row, maxNumbers)),
    } satisfies NoticeList);
  })
  .post('/notices/read', requireViewer, requireJson, validate('json', readNoticesSchema), async (c) => {
    const { ids, unreadCount } = await markRead(c.var.db, c.var.viewer, c.req.valid('json'), Date.now());
    // The mailbox learns only after the response that these notices were read, so it may still send one of them. The
    // client recognises such a notice and does not show it.
    if (ids.length > 0)
      continueAfterAnswer(
        c,
        tryMailbox(c.env, c.var.viewer.userId, (mailbox) => mailbox.retract(ids)),
      );
    return c.json({ unread_count: unreadCount } satisfies UnreadCount);
  })
  .post('/notices/:id/dismiss', requireViewer, async (c) => {
    await dismissForBoth(c, c.var.viewer, c.req.param('id'));
    return c.body(null, 204);
  })
  // The routes for a person's settings: how to notify the person while no page of the app is open.
  .get('/me/notice-settings', requireViewer, async (c) => c.json(await readSettings(c.var.db, c.var.viewer)))
  .put('/me/notice-settings', requireViewer, requireJson, validate('json', noticeSettingsSchema), async (c) => {
    const settings = c.req.valid('json');
    if (!(await writeSettings(c.var.db, c.var.viewer, settings))) throw new AppError('number_not_proven');
    // The new settings may allow messages that the mailbox holds back. Without this call, these messages would be sent
    // only at the time planned before.
    continueAfterAnswer(
      c,
      tryMailbox(c.env, c.var.viewer.userId, (mailbox) => mailbox.reconsider()),
    );
    return c.json(settings);
  });
