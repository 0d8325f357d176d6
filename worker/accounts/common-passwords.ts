import list from './common-passwords.txt';

let passwords: Set<string> | null = null;

/**
 * Whether the password is one of the 3,000 most common passwords that are long enough to be accepted (ASVS 6.2.4).
 * Ignores case. The list is from `@zxcvbn-ts/language-common` 3.0.4 (MIT, docs/matching.md).
 */
export function isCommonPassword(password: string): boolean {
  passwords ??= new Set(list.split('\n').filter(Boolean));
  return passwords.has(password.toLowerCase());
}
