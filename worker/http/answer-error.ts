import { HTTPException } from 'hono/http-exception';
import type { ErrorCode } from '#contract/error-codes.ts';
import { isUnavailable } from '#worker/db/retry.ts';
import { ConfigError } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorFrames, errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { AppContext } from './app-env.ts';
import { toErrorBody } from './error-body.ts';
import { chooseLanguage } from './language.ts';

/** About how long the platform takes to move a database or a Durable Object. */
const RETRY_SECONDS = 2;

/**
 * The only place where an error that was thrown becomes a response, and is logged. Pages for people take its status and
 * show a page of their own (worker/sharing); `answerPlainly` answers what was never to be found.
 */
export function answerError(error: unknown, c: AppContext): Response {
  const known = toAppError(error);
  // Errors that occur before the language is known, such as a missing secret, are localised, too.
  const language = c.var.language ?? chooseLanguage(c.req.header('Accept-Language'));
  const body = toErrorBody(known, language);
  if (known.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (known.retryAfterSeconds !== null) c.header('Retry-After', String(known.retryAfterSeconds));
  if (known.code === 'internal_error') {
    body.request_id = c.var.requestId;
    logUnexpected(error, c);
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

/** Logs where it happened, never the message: a database error's message contains the bound values. */
export function logUnexpected(error: unknown, c: AppContext): void {
  const { method, routePath: route } = c.req;
  log.error('unexpected_error', { method, route, name: errorName(error), frames: errorFrames(error) });
}
