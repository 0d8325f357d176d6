import { readJoinCode } from '#contract/join-link.ts';
import { ACCESS_CODE_CHARS } from '#contract/limits.ts';
import { randomCode } from '#worker/identity/random-code.ts';

const COMMUNITY_CODE_CHARS = 8;

/** The secret that lets people join, from a CSPRNG: 31^10 possibilities, about 49 bits. */
export function newAccessCode(): string {
  return randomCode(ACCESS_CODE_CHARS);
}

/** The code that identifies a community publicly, in posts. Its length differs from an access code's. */
export function newCommunityCode(): string {
  return randomCode(COMMUNITY_CODE_CHARS);
}

/**
 * Normalises a code that was typed in any case, with spaces or dashes, or as part of a join link.
 * @returns the bare code, or the input in upper case if it contains none.
 */
export function parseCode(typed: string): string {
  return readJoinCode(typed)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
}
