import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import type { FieldMessage } from '#contract/field-message.ts';
import type { Language } from '#contract/language.ts';
import fieldsEn from '#locales/en/fields.json' with { type: 'json' };
import errorsEn from '#locales/en/outside/errors.json' with { type: 'json' };
import fieldsSw from '#locales/sw/fields.json' with { type: 'json' };
import errorsSw from '#locales/sw/outside/errors.json' with { type: 'json' };
import type { AppError } from '#worker/errors/app-error.ts';

type Sentences = { errors: Record<ErrorCode, string>; fields: Record<FieldMessage, string> };

const SENTENCES: Record<Language, Sentences> = {
  en: { errors: errorsEn, fields: fieldsEn },
  sw: { errors: errorsSw, fields: fieldsSw },
};

/** The error in the reader's language. `detail` repeats the first field's message, for clients that show nothing else. */
export function toErrorBody(error: AppError, language: Language): ErrorBody {
  const errors = error.fields.map(({ field, message, max }) => ({
    field,
    message: SENTENCES[language].fields[message].replace('{max}', String(max ?? '')),
  }));
  const detail = errors[0]?.message ?? SENTENCES[language].errors[error.code];
  return { code: error.code, detail, ...(errors.length > 0 && { errors }) };
}
