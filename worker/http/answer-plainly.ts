import type { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from './app-env.ts';
import { toErrorBody } from './error-body.ts';

/** An error in one sentence, where it is no program that asks. */
export function answerPlainly(c: AppContext, error: AppError): Response {
  return c.text(toErrorBody(error, c.var.language).detail, error.status);
}
