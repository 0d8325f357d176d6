import type { ErrorBody } from '#contract/error-codes.ts';
import type { Language } from '#contract/language.ts';
import * as en from '#contract/messages/en.ts';
import * as sw from '#contract/messages/sw.ts';
import type { AppError } from '#worker/errors/app-error.ts';

const catalogues = { en, sw } satisfies Record<Language, unknown>;

/** The error in the reader's language. `detail` repeats the first field's message, for clients that show nothing else. */
export function toErrorBody(error: AppError, language: Language): ErrorBody {
  const { errorMessages, fieldMessages } = catalogues[language];
  const errors = error.fields.map(({ field, message, max }) => ({
    field,
    message: fieldMessages[message].replace('{max}', String(max ?? '')),
  }));
  const detail = errors[0]?.message ?? errorMessages[error.code];
  return { code: error.code, detail, ...(errors.length > 0 && { errors }) };
}
