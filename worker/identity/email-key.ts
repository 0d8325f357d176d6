/** The form in which two emails are compared: how a person capitalises theirs does not matter. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
