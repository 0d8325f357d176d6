import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Viewer } from '#worker/identity/viewer.ts';

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

export type Ticket = Viewer & { ticketId: string; expiresAt: number };

export function signSessionToken(secret: string, viewer: Viewer): Promise<string> {
  return sign(secret, 'session', viewer, SESSION_LIFETIME);
}

/** @returns whom the token speaks for, or null when it is forged, expired or of another kind. */
export async function verifySessionToken(secret: string, token: string): Promise<Viewer | null> {
  return verify(secret, 'session', token);
}

/** A ticket for one socket. That it is used once is the mailbox's to see to (`UserChannel`). */
export function signTicket(secret: string, viewer: Viewer, lifetimeSeconds: number): Promise<string> {
  return sign(secret, 'ticket', viewer, `${lifetimeSeconds}s`);
}

export async function verifyTicket(secret: string, token: string): Promise<Ticket | null> {
  return verify(secret, 'ticket', token);
}

function sign(secret: string, kind: Kind, viewer: Viewer, lifetime: string): Promise<string> {
  const { typ, audience } = KINDS[kind];
  return new SignJWT({ typ, tv: viewer.tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, typ })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(viewer.userId)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(keyFor(secret, kind));
}

async function verify(secret: string, kind: Kind, token: string): Promise<Ticket | null> {
  const { typ, audience } = KINDS[kind];
  try {
    const { payload } = await jwtVerify(token, keyFor(secret, kind), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      typ,
      requiredClaims: ['sub', 'exp', 'jti'],
    });
    const { sub, tv, jti, exp } = payload;
    if (!sub || !jti || !exp || typeof tv !== 'number') return null;
    return { userId: sub, tokenVersion: tv, ticketId: jti, expiresAt: exp * 1000 };
  } catch {
    return null;
  }
}

function keyFor(secret: string, kind: Kind): Uint8Array {
  return new Uint8Array(createHmac('sha256', secret).update(`jwt:${kind}`).digest());
}
