import * as z from 'zod/mini';
import type { FieldMessage } from './messages/field-message.ts';

/*
 * A name can be made to look like another by what turns the direction of the letters around it, U+202A to U+202E and
 * U+2066 to U+2069. Arabic and Hebrew need none of those; the marks U+200E, U+200F and U+061C turn nothing.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but lines and tabs are text, and a paragraph ends what turns it
const CONTROL_CHARACTERS_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** A space of no width or a direction mark alone would be a post without a title to tap on. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** Keys a message by its name: both sides look the sentence up in their own language. */
function message(key: FieldMessage): { error: FieldMessage } {
  return { error: key };
}

type TextRules = {
  max: number;
  /** What is said when the text is missing or blank; without it the text may be empty. */
  required?: FieldMessage;
  lines?: boolean;
};

/**
 * A text kept exactly as typed: nothing is trimmed or folded. Refused are control characters
 * (with `lines`, which is for paragraphs, fewer), lone surrogates, and more than `max` UTF-16 units,
 * the unit that an input's `maxlength` counts too.
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

/** A text that may be left out, null or empty; it reads as '' then. */
export function optionalTextSchema(rules: Omit<TextRules, 'required'>) {
  return z.pipe(
    z.transform((value) => value ?? ''),
    textSchema(rules),
  );
}

/** A text that may be left out; empty or blank it is null. */
export function possibleTextSchema(max: number) {
  return z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
    z.nullable(textSchema({ max, lines: true })),
  );
}
