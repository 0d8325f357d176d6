import { IDENTIFIER_MAX_CHARS, IDENTIFIER_MIN_CHARS, IDENTIFIER_MIN_DIGITS } from './limits.ts';

/** Letters that are easily mistaken for a digit. */
const READ_AS: Record<string, string> = { O: '0', I: '1', S: '5', B: '8' };

/** The form in which serial, document and plate numbers are compared, however they were typed. */
export function foldIdentifier(typed: string): string {
  return typed
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[OISB]/g, (letter) => READ_AS[letter] ?? letter);
}

/** Whether it is long enough, and has enough digits, to identify one thing rather than be a word. */
export function isIdentifier(typed: string): boolean {
  const folded = foldIdentifier(typed);
  const digits = folded.replace(/\D/g, '').length;
  return (
    folded.length >= IDENTIFIER_MIN_CHARS && folded.length <= IDENTIFIER_MAX_CHARS && digits >= IDENTIFIER_MIN_DIGITS
  );
}
