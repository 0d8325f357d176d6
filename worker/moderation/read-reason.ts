import { restorationSchema } from '#contract/moderation.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { toValidationError } from '#worker/http/validate.ts';

/**
 * The optional reason for a restoration: the whole body may be left out.
 * @throws AppError malformed_json, validation_failed.
 */
export async function readReason(c: AppContext): Promise<string | null> {
  const text = await c.req.text();
  if (text.trim() === '') return null;
  const { success, data, error } = restorationSchema.safeParse(parse(text));
  if (!success) throw toValidationError(error);
  return data.reason;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_json');
  }
}
