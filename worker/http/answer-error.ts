import type { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import type { FieldMessage } from '#contract/field-messages.ts';
import type { Language } from '#contract/language.ts';
import fieldsEn from '#locales/en/fields.json' with { type: 'json' };
import errorsEn from '#locales/en/outside/errors.json' with { type: 'json' };
import fieldsSw from '#locales/sw/fields.json' with { type: 'json' };
import errorsSw from '#locales/sw/outside/errors.json' with { type: 'json' };
import { isUnavailable } from '#worker/db/client.ts';
import { ConfigError } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log, logUnexpected } from '#worker/errors/log.ts';
import { type AppContext, type AppEnv, chooseLanguage } from './context.ts';

/** About how long Cloudflare takes to move a database or a Durable Object to another machine. */
const RETRY_SECONDS = 2;

/**
 * Turns every thrown error into a JSON response, and logs server errors. Routes of HTML pages use only the status of
 * this response, and render their own error page (worker/pages/share-post.ts).
 */
export function answerError(error: unknown, c: AppContext): Response {
  const known = toAppError(error);
  // The error is localised even if it occurs before the language is known, such as for a missing secret.
  const language = c.var.language ?? chooseLanguage(c.req.header('Accept-Language'));
  const body = toErrorBody(known, language);
  if (known.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (known.retryAfterSeconds !== null) c.header('Retry-After', String(known.retryAfterSeconds));
  if (known.code === 'internal_error') {
    body.request_id = c.var.requestId;
    logUnexpected(error, c.req);
  }
  if (known.code === 'unavailable') log.warn('unavailable', { method: c.req.method, route: c.req.routePath });
  if (error instanceof ConfigError) log.error('not_configured', { reason: error.message });
  return c.json(body, known.status);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ConfigError) return new AppError('not_configured');
  if (error instanceof HTTPException) return new AppError(codeOfHttpException(error));
  if (isUnavailable(error)) return new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  return new AppError('internal_error');
}

function codeOfHttpException({ status }: HTTPException): ErrorCode {
  if (status === 413) return 'body_too_large';
  return status < 500 ? 'malformed_request' : 'internal_error';
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 405 with `Allow` if the path has routes only for other methods, and 404 for any other path under /api or /ws.
 */
export function answerUnknown(app: Hono<AppEnv>, c: AppContext): Response {
  const allowed = METHODS.filter((method) => hasRoute(app, method, c.req.path));
  if (allowed.length === 0) return answerError(new AppError('not_found'), c);
  c.header('Allow', allowed.join(', '));
  return answerError(new AppError('method_not_allowed'), c);
}

/** Whether a route exists. Hono registers middleware for the method ALL, and routes for a specific method. */
function hasRoute(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path);
  return matches.some(([[, route]]) => route.method !== 'ALL');
}

/** Answers an error as one sentence of plain text, for URLs that people open in a browser. */
export function answerPlainly(c: AppContext, error: AppError): Response {
  return c.text(toErrorBody(error, c.var.language).detail, error.status);
}

type Sentences = { errors: Record<ErrorCode, string>; fields: Record<FieldMessage, string> };

const SENTENCES: Record<Language, Sentences> = {
  en: { errors: errorsEn, fields: fieldsEn },
  sw: { errors: errorsSw, fields: fieldsSw },
};

/** Presents the error in the user's language. `detail` repeats the first field's message, for simple clients. */
export function toErrorBody(error: AppError, language: Language): ErrorBody {
  const errors = error.fields.map(({ field, message, max }) => ({
    field,
    message: SENTENCES[language].fields[message].replace('{max}', String(max ?? '')),
  }));
  const detail = errors[0]?.message ?? SENTENCES[language].errors[error.code];
  return { code: error.code, detail, ...(errors.length > 0 && { errors }) };
}
