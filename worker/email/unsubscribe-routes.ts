import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { isSameText } from '#worker/whatsapp/index.ts';
import { renderDone, renderInvalid, renderQuestion, STYLE_SOURCE } from './unsubscribe-page.ts';
import { toUnsubscribing, userOf } from './unsubscribe-rules.ts';
import { findAddress, switchEmailOff } from './unsubscribe-store.ts';

/** The page has a style of its own and no script. Its address is a secret, which goes to no other page. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: [STYLE_SOURCE],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  xFrameOptions: 'DENY',
});

/** What stands in every notice's List-Unsubscribe (RFC 8058): mail programs post to it, and people open it. */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .use('/unsubscribe/*', pageHeaders)
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

/** @returns null for a value that is not ours, or was made for an address that is no longer theirs. */
async function findUnsubscriber(c: AppContext, value: string): Promise<string | null> {
  const { config, db } = c.var;
  const userId = userOf(value);
  const email = await findAddress(db, userId);
  const isOurs = email !== null && isSameText(value, toUnsubscribing(config.keys.code, { userId, email }));
  return isOurs ? userId : null;
}
