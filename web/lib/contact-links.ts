import { normaliseAccountPhone } from '#contract/normalise-phone.ts';

/** Shorter numbers, such as an office's, are not on WhatsApp. */
const WHATSAPP_DIGITS_MIN = 9;

/** A link that calls the number. */
export function callLink(phone: string): string {
  return `tel:${phone}`;
}

/** A link that opens a WhatsApp chat with `text` already typed, or null for a number that cannot have one. */
export function whatsappLink(phone: string, text: string): string | null {
  const digits = normaliseAccountPhone(phone).slice(1);
  if (digits.length < WHATSAPP_DIGITS_MIN) return null;
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}
