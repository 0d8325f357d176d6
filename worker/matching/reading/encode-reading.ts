import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { PostReading } from './read-post.ts';

/** Raised with whatever changes what is read in a post. */
const RULES_VERSION = 10;

/** Of the rules and the lists that posts are read by: what another has read is read again. */
export function readingVersion(): string {
  return `${RULES_VERSION} ${getLexicon().version}`;
}

/** Sets are no JSON: one is written as an array that begins with this. */
const SET = '$set';

/** A reading as it is stored beside its post, since reading costs many times what judging does. */
export function encodeReading(reading: PostReading): string {
  return JSON.stringify(reading, (_key, value: unknown) => (value instanceof Set ? [SET, ...value] : value));
}

export function decodeReading(encoded: string): PostReading {
  return JSON.parse(encoded, (_key, value: unknown) =>
    Array.isArray(value) && value[0] === SET ? new Set(value.slice(1)) : value,
  ) as PostReading;
}
