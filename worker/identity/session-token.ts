import { createHmac } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { SessionKey, SessionKeys } from './session-keys.ts';
import type { SessionViewer, Viewer } from './viewer.ts';

const ISSUER = 'patikana';
const ALGORITHM = 'HS256';
const SESSION_LIFETIME = '30d';

/**
 * The two kinds of token differ in key, type and audience, so that neither passes for the other (RFC 8725 §3.11, §3.12).
 */
const KINDS = {
  session: { typ: 'session+jwt', audience: 'patikana-api' },
  ticket: { typ: 'ticket+jwt', audience: 'patikana-realtime' },
} as const;
type Kind = keyof typeof KINDS;

/** The session's end goes with the ticket, because a socket must not outlive it. */
export type Ticket = Omit<SessionViewer, 'sessionId'> & { ticketId: string; expiresAt: number };

const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1)),
  jti: z.string().check(z.minLength(1)),
  exp: z.number(),
  tv: z.number(),
});
const ticketClaimsSchema = z.extend(claimsSchema, { session_exp: z.number() });

export function signSessionToken(keys: SessionKeys, viewer: Viewer): Promise<string> {
  return sign(keys, 'session', viewer, {}, SESSION_LIFETIME);
}

/** @returns whom the token speaks for, or null when it is forged, expired or of another kind. */
export async function verifySessionToken(keys: SessionKeys, token: string): Promise<SessionViewer | null> {
  const claims = await verify(keys, 'session', token, claimsSchema);
  return (
    claims && {
      userId: claims.sub,
      tokenVersion: claims.tv,
      sessionId: claims.jti,
      sessionEndsAt: claims.exp * 1000,
    }
  );
}

/** A ticket for one socket, never longer than its session. That it is used once is the mailbox's to see to (`UserChannel`). */
export function signTicket(
  keys: SessionKeys,
  viewer: Omit<SessionViewer, 'sessionId'>,
  lifetimeSeconds: number,
): Promise<string> {
  const sessionEnd = viewer.sessionEndsAt / 1000;
  const end = Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, sessionEnd);
  return sign(keys, 'ticket', viewer, { session_exp: sessionEnd }, end);
}

export async function verifyTicket(keys: SessionKeys, token: string): Promise<Ticket | null> {
  const claims = await verify(keys, 'ticket', token, ticketClaimsSchema);
  if (!claims) return null;
  const { sub, tv, jti, exp, session_exp } = claims;
  return {
    userId: sub,
    tokenVersion: tv,
    ticketId: jti,
    expiresAt: exp * 1000,
    sessionEndsAt: session_exp * 1000,
  };
}

function sign(
  [key]: SessionKeys,
  kind: Kind,
  viewer: Viewer,
  claims: JWTPayload,
  end: string | number,
): Promise<string> {
  const { typ, audience } = KINDS[kind];
  return new SignJWT({ typ, tv: viewer.tokenVersion, ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ, kid: key.id })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(viewer.userId)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(end)
    .sign(keyFor(key, kind));
}

/** A signature says who made the claims, not that they are of the right kind: that the schema says. */
async function verify<Schema extends z.ZodMiniType>(
  keys: SessionKeys,
  kind: Kind,
  token: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const { typ, audience } = KINDS[kind];
  try {
    const { kid } = decodeProtectedHeader(token);
    // A token from before keys had ids was signed by the one that signs today, unless that has been replaced since.
    const key = keys.find(({ id }) => id === kid) ?? (kid === undefined ? keys.at(-1) : undefined);
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
