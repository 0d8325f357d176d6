import list from './common-passwords.txt';

let passwords: Set<string> | null = null;

/** Whether a password is one of the 3,000 most common that our length rule would let through (ASVS 6.2.4), in any case. */
export function isCommonPassword(password: string): boolean {
  passwords ??= new Set(list.split('\n').filter(Boolean));
  return passwords.has(password.toLowerCase());
}
