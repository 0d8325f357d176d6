import * as z from 'zod/mini';

/** The push services of the common browsers; `*.` stands for one or more labels. */
export const DEFAULT_PUSH_SERVICES = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
  '*.notify.windows.com',
];

const coordinateSchema = z.string().check(z.regex(/^[\w-]{43}$/));
const jwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinateSchema,
  y: coordinateSchema,
  d: coordinateSchema,
});

/** A private P-256 key as a JSON Web Key (RFC 7517), in one environment variable. */
export const vapidKeySchema = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return null;
      }
    }),
  ),
  jwkSchema,
);

/** Our identity for push services (RFC 8292), with a contact for their questions. */
export type VapidKey = { jwk: z.infer<typeof jwkSchema>; publicKey: string; subject: string };

/** Makes the key. @returns null unless both values are given. */
export function toVapidKey(jwk: VapidKey['jwk'] | null, subject: string | null): VapidKey | null {
  if (jwk === null || subject === null) return null;
  const [x, y] = [Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')];
  return { jwk, publicKey: Buffer.concat([Buffer.of(4), x, y]).toString('base64url'), subject };
}
