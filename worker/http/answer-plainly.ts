import type { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from './app-env.ts';
import { toErrorBody } from './error-body.ts';

/** Answers an error as one sentence of plain text, for addresses that people open rather than programs. */
export function answerPlainly(c: AppContext, error: AppError): Response {
  return c.text(toErrorBody(error, c.var.language).detail, error.status);
}
