import { createHash, createHmac } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { SESSION_LIFETIME_DAYS } from '#contract/limits.ts';
import type { SessionViewer, Viewer } from './viewer.ts';

const ISSUER = 'patikana';
const ALGORITHM = 'HS256';
const SESSION_LIFETIME = `${SESSION_LIFETIME_DAYS}d`;

/**
 * The two kinds of token differ in key, type and audience, so that neither is accepted as the other (RFC 8725 §3.11,
 * §3.12).
 */
const KINDS = {
  session: { typ: 'session+jwt', audience: 'patikana-api' },
  ticket: { typ: 'ticket+jwt', audience: 'patikana-realtime' },
} as const;
type Kind = keyof typeof KINDS;

/** A ticket also contains the end of its session, because the socket must not outlive the session. */
export type Ticket = SessionViewer & { ticketId: string; expiresAt: number };

const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1)),
  jti: z.string().check(z.minLength(1)),
  exp: z.number(),
  tv: z.number(),
  sid: z.string().check(z.minLength(1)),
});
const ticketClaimsSchema = z.extend(claimsSchema, { session_exp: z.number() });

export function signSessionToken(keys: SessionKeys, viewer: Viewer): Promise<string> {
  return sign(keys, 'session', viewer, {}, SESSION_LIFETIME);
}

/** @returns the person whom the token identifies, or null if the token is forged, expired or of another kind. */
export async function verifySessionToken(keys: SessionKeys, token: string): Promise<SessionViewer | null> {
  const claims = await verify(keys, 'session', token, claimsSchema);
  return (
    claims && {
      userId: claims.sub,
      tokenVersion: claims.tv,
      sessionId: claims.sid,
      sessionEndsAt: claims.exp * 1000,
    }
  );
}

/** Signs a ticket for one socket, valid at most until its session ends. `UserChannel` refuses a used ticket. */
export function signTicket(keys: SessionKeys, viewer: SessionViewer, lifetimeSeconds: number): Promise<string> {
  const sessionEnd = viewer.sessionEndsAt / 1000;
  const end = Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, sessionEnd);
  return sign(keys, 'ticket', viewer, { session_exp: sessionEnd }, end);
}

export async function verifyTicket(keys: SessionKeys, token: string): Promise<Ticket | null> {
  const claims = await verify(keys, 'ticket', token, ticketClaimsSchema);
  if (!claims) return null;
  const { sub, tv, jti, sid, exp, session_exp } = claims;
  return {
    userId: sub,
    tokenVersion: tv,
    sessionId: sid,
    ticketId: jti,
    expiresAt: exp * 1000,
    sessionEndsAt: session_exp * 1000,
  };
}

function sign(
  [key]: SessionKeys,
  kind: Kind,
  { userId, tokenVersion, sessionId }: Viewer,
  claims: JWTPayload,
  end: string | number,
): Promise<string> {
  const { typ, audience } = KINDS[kind];
  return new SignJWT({ typ, tv: tokenVersion, sid: sessionId, ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ, kid: key.id })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(userId)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(end)
    .sign(keyFor(key, kind));
}

/** Verifies a token. The signature proves that we issued it; the schema checks the shape of its contents. */
async function verify<Schema extends z.ZodMiniType>(
  keys: SessionKeys,
  kind: Kind,
  token: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const { typ, audience } = KINDS[kind];
  try {
    const { kid } = decodeProtectedHeader(token);
    const key = keys.find(({ id }) => id === kid);
    if (!key) return null;
    const { payload } = await jwtVerify(token, keyFor(key, kind), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      typ,
    });
    return schema.safeParse(payload).data ?? null;
  } catch {
    return null;
  }
}

function keyFor({ secret }: SessionKey, kind: Kind): Uint8Array {
  return new Uint8Array(createHmac('sha256', secret).update(`jwt:${kind}`).digest());
}

/** A secret that signs sessions, and its id in the token's header (`kid`, RFC 7515 §4.1.4). */
type SessionKey = { id: string; secret: string };
/** The first key signs. The previous key follows: tokens that it has signed stay valid until they expire. */
export type SessionKeys = readonly [SessionKey, ...SessionKey[]];

const ID_CHARS = 8;

export function toSessionKeys(current: string, previous: string | null): SessionKeys {
  return previous === null ? [toKey(current)] : [toKey(current), toKey(previous)];
}

function toKey(secret: string): SessionKey {
  return { id: createHash('sha256').update(`kid\0${secret}`).digest('base64url').slice(0, ID_CHARS), secret };
}
