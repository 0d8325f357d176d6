import { Hono } from 'hono';
import { noticeSettingsSchema } from '#contract/notice-settings.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { readSettings, writeSettings } from './settings-store.ts';

/** How a person wants to be notified when no page is open. */
export const noticeSettingsRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, async (c) => c.json(await readSettings(c.var.db, c.var.viewer)))
  .put('/', requireViewer, requireJson, validate('json', noticeSettingsSchema), async (c) => {
    const settings = c.req.valid('json');
    if (!(await writeSettings(c.var.db, c.var.viewer, settings))) throw new AppError('number_not_proven');
    continueAfterAnswer(c, reconsider(c.env, c.var.viewer.userId));
    return c.json(settings);
  });

/** Held messages may be sent now. Best effort: otherwise they are sent in the morning, as each turn reads the settings. */
async function reconsider(env: Env, userId: string): Promise<void> {
  try {
    await getUserChannel(env, userId).reconsider();
  } catch (error) {
    log.warn('mailbox_unreachable', { name: errorName(error) });
  }
}
