import { readJoinCode } from '#contract/join-link.ts';
import { ACCESS_CODE_CHARS } from '#contract/limits.ts';
import { randomCode } from '#worker/identity/random-code.ts';

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
