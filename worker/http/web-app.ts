import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { answerPlainly } from './answer-plainly.ts';
import { isAppAddress } from './app-address.ts';
import type { AppContext, AppEnv } from './app-env.ts';

/** What the routes answer, an unknown address among them too; `/dev` is for a developer's machine alone. */
const ROUTES = /^\/(api|ws|dev|p|photos)(\/|$)/i;

/**
 * Answers everything but the API that is no file of the build: the web app's page for whoever opens one of its
 * addresses, else a 404 in one sentence. The platform's own single-page fallback cannot tell the two apart, and would
 * have a script that a deploy has taken away answered, and kept for a year, as a page.
 */
export const webApp = createMiddleware<AppEnv>(async (c, next) => {
  const { path, method, raw } = c.req;
  if (ROUTES.test(path)) return next();
  if (!isAppAddress(path)) return answerPlainly(c, new AppError('not_found'));
  if (method !== 'GET' && method !== 'HEAD') {
    c.header('Allow', 'GET, HEAD');
    return answerPlainly(c, new AppError('method_not_allowed'));
  }
  if (!isNavigation(c)) return answerPlainly(c, new AppError('not_found'));
  // With the headers of web/public/_headers, and a 304 to whoever has the page already.
  return c.env.ASSETS.fetch(new Request(new URL('/', raw.url), raw));
});

/** Browsers say what they want an address for, a script or a picture; what says nothing, such as curl, is given the page. */
function isNavigation(c: AppContext): boolean {
  return c.req.header('Sec-Fetch-Mode') === 'navigate' || c.req.header('Sec-Fetch-Dest') === undefined;
}
