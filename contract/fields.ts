import * as z from 'zod/mini';
import type { FieldMessage } from './field-messages.ts';
import { EMAIL_MAX_CHARS, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from './limits.ts';
import { normaliseAccountPhone, stripPhoneSeparators } from './typed-numbers.ts';

// Includes the direction overrides, embeddings and isolates (U+202A to U+202E, U+2066 to U+2069), which can make one name
// look like another. The marks U+200E, U+200F and U+061C, which Arabic and Hebrew need, are allowed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks and tabs are text, and the effect of direction characters ends with the paragraph
const CONTROL_CHARACTERS_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Matches a visible character: a title of only zero-width spaces would make an invisible link. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** Returns an error with a key. The web app and the Worker look up the key's sentence in the user's language. */
function message(key: FieldMessage): { error: FieldMessage } {
  return { error: key };
}

type TextRules = {
  max: number;
  /** The error for a missing or blank text. If `required` is not set, the text may be empty. */
  required?: FieldMessage;
  lines?: boolean;
};

/**
 * A text, stored exactly as typed. Refuses control characters (with `lines` it accepts line breaks and tabs), lone
 * surrogates, and more than `max` UTF-16 code units, which is what `maxlength` of an input counts.
 */
export function textSchema({ max, required, lines = false }: TextRules) {
  const forbidden = lines ? CONTROL_CHARACTERS_BUT_LINES : CONTROL_CHARACTERS;
  return z.string(required ? message(required) : message('text_invalid')).check(
    z.maxLength(max, message('text_too_long')),
    z.refine((text) => required === undefined || VISIBLE.test(text), message(required ?? 'text_invalid')),
    z.refine((text) => !forbidden.test(text), message('text_control_characters')),
    z.refine((text) => text.isWellFormed(), message('text_control_characters')),
  );
}

/** A text that may be absent, null or empty: all three parse to ''. */
export function optionalTextSchema(rules: Omit<TextRules, 'required'>) {
  return z.pipe(
    z.transform((value) => value ?? ''),
    textSchema(rules),
  );
}

/** A text that may be absent, empty or blank: all three parse to null. */
export function possibleTextSchema(max: number) {
  return z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
    z.nullable(textSchema({ max, lines: true })),
  );
}

/** A time in a response: ISO 8601 in UTC. */
export const timeSchema = z.iso.datetime();

/** The offset of Africa/Dar_es_Salaam, which has no daylight saving time. */
const LOCAL_OFFSET = '+03:00';

/** A time in a query, parsed to milliseconds. A date without a time means midnight. The default zone is Tanzania's. */
export const momentSchema = z.pipe(
  z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], { error: 'since_invalid' }),
  z.transform((text) => {
    const time = text.includes('T') ? text : `${text}T00:00`;
    return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}${LOCAL_OFFSET}`);
  }),
);

const error = 'limit_invalid';
const limitSchema = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/, { error, abort: true })),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.minimum(1, { error }), z.maximum(PAGE_SIZE_MAX, { error })),
    ),
  ),
  PAGE_SIZE_DEFAULT,
);

/** The query of lists ordered by row id: `cursor` is the id of the last row of the previous page. */
export const pageQueryShape = {
  cursor: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};
export const pageQuerySchema = z.object(pageQueryShape);
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** The query of lists ordered by time: `cursor` is `milliseconds.id` of the last row of the previous page. */
export const timePageShape = {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,100}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};

const E164 = /^\+\d{7,15}$/;
const CONTACT_NUMBER = /^\+?\d{2,15}$/;

/** An account's WhatsApp number, parsed to E.164. */
export const accountPhoneSchema = z.string({ error: 'phone_required' }).check(
  z.refine((typed) => stripPhoneSeparators(typed) !== '', { error: 'phone_required', abort: true }),
  z.maxLength(40, { error: 'phone_invalid', abort: true }),
  z.overwrite(normaliseAccountPhone),
  z.regex(E164, { error: 'phone_invalid' }),
);

/** A post's phone number: an optional plus and 2 to 15 digits (docs/product.md A2). */
export const contactPhoneSchema = z.string({ error: 'phone_required' }).check(
  z.refine((typed) => typed.trim() !== '', { error: 'phone_required', abort: true }),
  z.regex(CONTACT_NUMBER, { error: 'phone_invalid' }),
);

// Requires only an @ and, somewhere after the @, a dot: only an e-mail that arrives can prove that the address exists.
// Refuses invisible characters, which nobody could type again to sign in.
const EMAIL = /^(?!.*[\p{Cc}\p{Cf}\p{Cs}])[^\s@]+@[^\s@]+\.[^\s@.]+$/u;

export const emailSchema = z
  .string({ error: 'email_required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'email_required', abort: true }),
    z.maxLength(EMAIL_MAX_CHARS, { error: 'text_too_long', abort: true }),
    z.regex(EMAIL, { error: 'email_invalid' }),
  );

/** A new password. Checks only the length, not the characters (ASVS 6.2.5). The Worker refuses common passwords. */
export const newPasswordSchema = z
  .string({ error: 'password_required' })
  .check(
    z.minLength(1, { error: 'password_required', abort: true }),
    z.minLength(PASSWORD_MIN_CHARS, { error: 'password_too_short' }),
    z.maxLength(PASSWORD_MAX_CHARS, { error: 'password_too_long' }),
  );

/** The current password. Some changes require it although the user is signed in. */
export const currentPasswordSchema = z
  .string({ error: 'password_required' })
  .check(z.minLength(1, { error: 'password_required' }));

/**
 * `is_contact_limited`: the viewer has reached the daily limit of phone numbers, so `phone_number` is null.
 * `contact_opens_at`: when the viewer may see more phone numbers.
 */
export const contactLimitShape = {
  is_contact_limited: z.boolean(),
  contact_opens_at: z.nullable(timeSchema),
};
