import { Hono } from 'hono';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { isSameText } from '#worker/whatsapp/index.ts';
import { renderDone, renderQuestion } from './unsubscribe-page.ts';
import { toUnsubscribing, userOf } from './unsubscribe-rules.ts';
import { findAddress, switchEmailOff } from './unsubscribe-store.ts';

/** What stands in every notice's List-Unsubscribe (RFC 8058): mail programs post to it, and people open it. */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .get('/unsubscribe/:value', async (c) => {
    await findUnsubscriber(c, c.req.param('value'));
    return c.html(renderQuestion(c.var.language));
  })
  .post('/unsubscribe/:value', async (c) => {
    const userId = await findUnsubscriber(c, c.req.param('value'));
    await switchEmailOff(c.var.db, userId);
    return c.html(renderDone(c.var.language));
  });

/** @throws AppError not_found for a value that is not ours, or was made for an address that is no longer theirs. */
async function findUnsubscriber(c: AppContext, value: string): Promise<string> {
  const { config, db } = c.var;
  const userId = userOf(value);
  const email = await findAddress(db, userId);
  const isOurs = email !== null && isSameText(value, toUnsubscribing(config.keys.code, { userId, email }));
  if (!isOurs) throw new AppError('not_found');
  return userId;
}
