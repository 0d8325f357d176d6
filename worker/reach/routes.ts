import { Hono } from 'hono';
import { noticeSettingsSchema } from '#contract/notice-settings.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { tryMailbox } from '#worker/notices/index.ts';
import { readSettings, writeSettings } from './settings-store.ts';

/** How a person wants to be notified when no page is open. */
export const noticeSettingsRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, async (c) => c.json(await readSettings(c.var.db, c.var.viewer)))
  .put('/', requireViewer, requireJson, validate('json', noticeSettingsSchema), async (c) => {
    const settings = c.req.valid('json');
    if (!(await writeSettings(c.var.db, c.var.viewer, settings))) throw new AppError('number_not_proven');
    // Held messages may be sent now. Otherwise they are sent in the morning, as each turn reads the settings.
    continueAfterAnswer(
      c,
      tryMailbox(c.env, c.var.viewer.userId, (mailbox) => mailbox.reconsider()),
    );
    return c.json(settings);
  });
