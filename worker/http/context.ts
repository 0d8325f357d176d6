import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { parseAccept } from 'hono/utils/accept';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/language.ts';
import type { Db } from '#worker/db/client.ts';
import { type Config, type Env, readConfig } from '#worker/env.ts';
import { logUnexpected } from '#worker/errors/log.ts';
import type { SessionViewer } from '#worker/identity/viewer.ts';

export type AppEnv = {
  Bindings: Env;
  Variables: { requestId: string; config: Config; db: Db; language: Language; viewer: SessionViewer | null };
};
/** The environment of routes behind `requireViewer`. */
export type SignedInEnv = { Bindings: Env; Variables: AppEnv['Variables'] & { viewer: SessionViewer } };

/** The context of any route. Omits `set`, whose type differs between routes for everybody and for signed-in people. */
export type AppContext = Omit<Context<AppEnv>, 'set'>;

/** Chooses the supported language that `Accept-Language` prefers. */
export function chooseLanguage(acceptLanguage: string | undefined, fallback = FALLBACK_LANGUAGE): Language {
  const wanted = parseAccept(acceptLanguage ?? '')
    .sort((left, right) => right.q - left.q)
    .map((accept) => accept.type.toLowerCase().split('-')[0]);
  return wanted.find(isLanguage) ?? fallback;
}

export const withLanguage = createMiddleware<AppEnv>(async (c, next) => {
  c.set('language', chooseLanguage(c.req.header('Accept-Language')));
  await next();
});

/**
 * Returns the client's IP address as Cloudflare reports it. Rate limits count requests for each network that contains
 * the address (`networksOf`). The header is missing only in tests, whose clients share the address `unknown`.
 */
export function clientAddress(c: AppContext): string {
  return c.req.header('CF-Connecting-IP') ?? 'unknown';
}

/**
 * Returns the origin for canonical URLs and for links that leave the app. If APP_ORIGIN is set, the host in the request
 * is ignored, so that another host that reaches the Worker never appears in a page, e-mail or QR code.
 */
export function readAppOrigin(c: AppContext): string {
  return readConfig(c.env).appOrigin ?? new URL(c.req.url).origin;
}

/** Sets the `Link` header to the next page of a list, if there is one: the same request with another `cursor`. */
export function linkNextPage(c: AppContext, cursor: string | number | null): void {
  if (cursor === null) return;
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', String(cursor));
  c.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
}

/** Runs work after the response has been sent. A failure can then only be logged. */
export function continueAfterAnswer(c: AppContext, work: Promise<void>): void {
  c.executionCtx.waitUntil(work.catch((error: unknown) => logUnexpected(error, c.req)));
}
