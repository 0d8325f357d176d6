import { createMiddleware } from 'hono/factory';
import { parseAccept } from 'hono/utils/accept';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/language.ts';
import type { AppEnv } from './app-env.ts';

/** The preferred language of `Accept-Language` among those that we support. */
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
