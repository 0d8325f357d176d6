/** The form in which e-mail addresses are compared, so that capitalisation does not matter. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
