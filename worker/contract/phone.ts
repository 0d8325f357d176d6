import * as z from 'zod/mini';

const E164 = /^\+\d{7,15}$/;
const CONTACT_NUMBER = /^\+?\d{2,15}$/;
const SEPARATORS = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069().-]/g;

/** Drops what people and address books put between digits (spaces, dashes, direction marks), as in `0712 345-678`. */
export function stripPhoneSeparators(typed: string): string {
  return typed.replace(SEPARATORS, '');
}

/**
 * An account's number as specification §5 normalises it: a leading 0 becomes +255, a number
 * starting with + is kept, anything else gets a + before it.
 */
export function normaliseAccountPhone(typed: string): string {
  const number = stripPhoneSeparators(typed);
  if (number.startsWith('0')) return `+255${number.slice(1)}`;
  return number.startsWith('+') ? number : `+${number}`;
}

/** An account's WhatsApp number, as E.164 once parsed. */
export const accountPhoneSchema = z.string({ error: 'phone_required' }).check(
  z.refine((typed) => stripPhoneSeparators(typed) !== '', { error: 'phone_required', abort: true }),
  z.maxLength(40, { error: 'phone_invalid', abort: true }),
  z.overwrite(normaliseAccountPhone),
  z.regex(E164, { error: 'phone_invalid' }),
);

/** The number that a post shows: an optional plus and 2 to 15 digits (specification §5). */
export const contactPhoneSchema = z.string({ error: 'phone_required' }).check(
  z.refine((typed) => typed.trim() !== '', { error: 'phone_required', abort: true }),
  z.regex(CONTACT_NUMBER, { error: 'phone_invalid' }),
);
