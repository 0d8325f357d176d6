import { createHmac } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { SessionViewer, Viewer } from '#worker/identity/viewer.ts';

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
export type Ticket = SessionViewer & { ticketId: string; expiresAt: number };

const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1)),
  jti: z.string().check(z.minLength(1)),
  exp: z.number(),
  tv: z.number(),
});
const ticketClaimsSchema = z.extend(claimsSchema, { session_exp: z.number() });

export function signSessionToken(secret: string, viewer: Viewer): Promise<string> {
  return sign(secret, 'session', viewer, {}, SESSION_LIFETIME);
}

/** @returns whom the token speaks for, or null when it is forged, expired or of another kind. */
export async function verifySessionToken(secret: string, token: string): Promise<SessionViewer | null> {
  const claims = await verify(secret, 'session', token, claimsSchema);
  return claims && { userId: claims.sub, tokenVersion: claims.tv, sessionEndsAt: claims.exp * 1000 };
}

/** A ticket for one socket, never longer than its session. That it is used once is the mailbox's to see to (`UserChannel`). */
export function signTicket(secret: string, viewer: SessionViewer, lifetimeSeconds: number): Promise<string> {
  const sessionEnd = viewer.sessionEndsAt / 1000;
  const end = Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, sessionEnd);
  return sign(secret, 'ticket', viewer, { session_exp: sessionEnd }, end);
}

export async function verifyTicket(secret: string, token: string): Promise<Ticket | null> {
  const claims = await verify(secret, 'ticket', token, ticketClaimsSchema);
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

function sign(secret: string, kind: Kind, viewer: Viewer, claims: JWTPayload, end: string | number): Promise<string> {
  const { typ, audience } = KINDS[kind];
  return new SignJWT({ typ, tv: viewer.tokenVersion, ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(viewer.userId)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(end)
    .sign(keyFor(secret, kind));
}

/** A signature says who made the claims, not that they are of the right kind: that the schema says. */
async function verify<Schema extends z.ZodMiniType>(
  secret: string,
  kind: Kind,
  token: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const { typ, audience } = KINDS[kind];
  try {
    const { payload } = await jwtVerify(token, keyFor(secret, kind), {
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

function keyFor(secret: string, kind: Kind): Uint8Array {
  return new Uint8Array(createHmac('sha256', secret).update(`jwt:${kind}`).digest());
}
