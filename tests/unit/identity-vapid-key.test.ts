import { expect, test } from 'vitest';
import { toVapidKey, vapidKeySchema } from '#worker/identity/vapid-key.ts';

const JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'bW86URdh-ORxKhpuE_DzhGpwduRH_gJ2C7Nr_yxtNzg',
  y: 'Vj7OxKusQrBm7ttwuTUxy5lGNokyooMSNVMRtiNO4ik',
  d: 'dVZt1FDtaKy9uX74ZWOZ8KGFbVK57qs1VO1KrTVJs7A',
} as const;
const SUBJECT = 'mailto:habari@patikana.test';

test('browsers are given the public key as an uncompressed point, and services the contact', () => {
  expect(toVapidKey(vapidKeySchema.parse(JSON.stringify(JWK)), SUBJECT)).toEqual({
    jwk: JWK,
    publicKey: 'BG1vOlEXYfjkcSoabhPw84RqcHbkR_4Cdguza_8sbTc4Vj7OxKusQrBm7ttwuTUxy5lGNokyooMSNVMRtiNO4ik',
    subject: SUBJECT,
  });
});

test('without a key or a contact there is no push', () => {
  expect(toVapidKey(null, SUBJECT)).toBeNull();
  expect(toVapidKey(JWK, null)).toBeNull();
});

test.each<[what: string, key: string]>([
  ['no JSON', 'siri'],
  ['another kind', JSON.stringify({ ...JWK, kty: 'RSA' })],
  ['another curve', JSON.stringify({ ...JWK, crv: 'P-384' })],
  ['a coordinate too short', JSON.stringify({ ...JWK, x: JWK.x.slice(1) })],
  ['a coordinate that is none', JSON.stringify({ ...JWK, y: `${JWK.y.slice(1)}=` })],
  ['only the public half', JSON.stringify({ ...JWK, d: undefined })],
])('%s is no key', (_what, key) => {
  expect(vapidKeySchema.safeParse(key).success).toBe(false);
});
