import { IDENTIFIER_MAX_CHARS, IDENTIFIER_MIN_CHARS, IDENTIFIER_MIN_DIGITS } from './limits.ts';

/** Letters that are read, and typed, as a digit. */
const READ_AS: Record<string, string> = { O: '0', I: '1', S: '5', B: '8' };

/** A serial, document or plate number as it is compared, however it was typed. */
export function foldIdentifier(typed: string): string {
  return typed
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[OISB]/g, (letter) => READ_AS[letter] ?? letter);
}

/** Long enough, and with enough digits, to be one thing's and no word. */
export function isIdentifier(typed: string): boolean {
  const folded = foldIdentifier(typed);
  const digits = folded.replace(/\D/g, '').length;
  return (
    folded.length >= IDENTIFIER_MIN_CHARS && folded.length <= IDENTIFIER_MAX_CHARS && digits >= IDENTIFIER_MIN_DIGITS
  );
}
