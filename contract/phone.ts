import * as z from 'zod/mini';
import { normaliseAccountPhone, stripPhoneSeparators } from './normalise-phone.ts';

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
