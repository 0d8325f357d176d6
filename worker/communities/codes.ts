import { readJoinCode } from '#contract/join-link.ts';
import { ACCESS_CODE_CHARS } from '#contract/limits.ts';

/** Letters and digits that nobody mistakes for another: no I, L, O, 0 or 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const COMMUNITY_CODE_CHARS = 8;

/** The joining secret, from a CSPRNG: 31^10, about 49 bits. */
export function newAccessCode(): string {
  return randomCode(ACCESS_CODE_CHARS);
}

/** The public name of a community in posts. Its length keeps it apart from an access code. */
export function newCommunityCode(): string {
  return randomCode(COMMUNITY_CODE_CHARS);
}

/**
 * Reads a code however it was passed on: in any case, with spaces or dashes, or inside a join link.
 * @returns the bare code, or what was typed, upper-cased, when it holds none.
 */
export function parseCode(typed: string): string {
  return readJoinCode(typed)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
}

function randomCode(length: number): string {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 31 in a byte: what lies above it would favour the first letters.
      if (byte < 248 && code.length < length) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}
