import * as z from 'zod/mini';
import type { FieldMessage } from './field-message.ts';

/*
 * The direction overrides, embeddings and isolates, U+202A to U+202E and U+2066 to U+2069, can make one name look like
 * another. Arabic and Hebrew text does not need them; the marks U+200E, U+200F and U+061C are harmless.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but lines and tabs are text, and a paragraph ends what turns it
const CONTROL_CHARACTERS_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Without it a title of zero-width spaces would leave nothing to tap on. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** The key of a message: both sides look up the sentence in their own language. */
function message(key: FieldMessage): { error: FieldMessage } {
  return { error: key };
}

type TextRules = {
  max: number;
  /** The message for a missing or blank text; without it the text may be empty. */
  required?: FieldMessage;
  lines?: boolean;
};

/**
 * A text that is kept exactly as typed. It refuses control characters (fewer with `lines`, for paragraphs), lone
 * surrogates, and more than `max` UTF-16 code units, which `maxlength` of an input counts, too.
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

/** A text that may be left out, null or empty, which all parse to ''. */
export function optionalTextSchema(rules: Omit<TextRules, 'required'>) {
  return z.pipe(
    z.transform((value) => value ?? ''),
    textSchema(rules),
  );
}

/** A text that may be left out, empty or blank, which all parse to null. */
export function possibleTextSchema(max: number) {
  return z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
    z.nullable(textSchema({ max, lines: true })),
  );
}
