import { Hono } from 'hono';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { pageHeaders } from '#worker/http/html-page.ts';
import { isSameText } from '#worker/identity/same-text.ts';
import { renderDone, renderInvalid, renderQuestion, STYLE } from './unsubscribe-page.ts';
import { toUnsubscribing, userOf } from './unsubscribe-rules.ts';
import { findAddress, switchEmailOff } from './unsubscribe-store.ts';

/** The addresses in List-Unsubscribe headers (RFC 8058): mail programs post to them, and people open them. */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .use('/unsubscribe/*', pageHeaders({ style: STYLE, hasForm: true, isSecret: true }))
  .use('/unsubscribe/*', async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  })
  .get('/unsubscribe/:value', async (c) => {
    const userId = await findUnsubscriber(c, c.req.param('value'));
    return userId === null ? c.html(renderInvalid(c.var.language), 404) : c.html(renderQuestion(c.var.language));
  })
  .post('/unsubscribe/:value', async (c) => {
    const userId = await findUnsubscriber(c, c.req.param('value'));
    if (userId === null) return c.html(renderInvalid(c.var.language), 404);
    await switchEmailOff(c.var.db, userId);
    return c.html(renderDone(c.var.language));
  });

/** @returns null for a value that we did not make, or that was made for a former address. */
async function findUnsubscriber(c: AppContext, value: string): Promise<string | null> {
  const { config, db } = c.var;
  const userId = userOf(value);
  const email = await findAddress(db, userId);
  const isOurs = email !== null && isSameText(value, toUnsubscribing(config.keys.code, { userId, email }));
  return isOurs ? userId : null;
}
