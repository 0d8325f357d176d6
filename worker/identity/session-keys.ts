import { createHash } from 'node:crypto';

/** A secret that signs sessions, and its id in the token's header (`kid`, RFC 7515 §4.1.4). */
export type SessionKey = { id: string; secret: string };
/** First the key that signs, then the one it replaces, whose tokens stay valid until they expire. */
export type SessionKeys = readonly [SessionKey, ...SessionKey[]];

const ID_CHARS = 8;

export function toSessionKeys(current: string, previous: string | null): SessionKeys {
  return previous === null ? [toKey(current)] : [toKey(current), toKey(previous)];
}

function toKey(secret: string): SessionKey {
  return { id: createHash('sha256').update(`kid\0${secret}`).digest('base64url').slice(0, ID_CHARS), secret };
}
