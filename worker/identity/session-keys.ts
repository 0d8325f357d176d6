import { createHash } from 'node:crypto';

/** A secret that signs sessions, and the id that a token's header names it by (RFC 7515 §4.1.4). */
export type SessionKey = { id: string; secret: string };
/** The one that signs, first, then the one that is being replaced: what it signed is good until it ends. */
export type SessionKeys = readonly [SessionKey, ...SessionKey[]];

const ID_CHARS = 8;

export function toSessionKeys(current: string, previous: string | null): SessionKeys {
  return previous === null ? [toKey(current)] : [toKey(current), toKey(previous)];
}

function toKey(secret: string): SessionKey {
  return { id: createHash('sha256').update(`kid\0${secret}`).digest('base64url').slice(0, ID_CHARS), secret };
}
