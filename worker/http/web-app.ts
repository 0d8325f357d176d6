import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { answerPlainly } from './answer-plainly.ts';
import { isAppAddress } from './app-address.ts';
import type { AppContext, AppEnv } from './app-env.ts';

/** Answered by routes, even where an address is unknown; `/dev` exists only on a developer's machine. */
const ROUTES = /^\/(api|ws|dev|p|photos)(\/|$)/i;

/**
 * Answers everything that is neither a route nor a file of the build: with the web app's page for navigation to one of
 * its addresses, else with a plain 404. The platform's own single-page fallback cannot tell the two apart: a script that
 * a deploy has removed would be answered with the page, which browsers would cache for a year.
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
  // ASSETS adds the headers of web/public/_headers, and answers 304 if the browser has the page.
  return c.env.ASSETS.fetch(new Request(new URL('/', raw.url), raw));
});

/** Browsers say what they request an address for, such as a script. Clients that do not, such as curl, get the page. */
function isNavigation(c: AppContext): boolean {
  return c.req.header('Sec-Fetch-Mode') === 'navigate' || c.req.header('Sec-Fetch-Dest') === undefined;
}
