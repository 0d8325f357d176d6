import type * as z from 'zod/mini';
import type { BodyOf, ENDPOINTS, EndpointName } from '#contract/endpoints.ts';
import { somePost } from '#tests/support/posts.ts';
import { PushService } from '#tests/support/push-service.ts';
import { ORIGIN, type Person } from './api.ts';
import { SoftAuthenticator } from './passkeys.ts';
import { PUSH_ORIGIN } from './push.ts';

/** The ids that a body may need. */
export type Named = {
  person: Person;
  other: { id: string };
  /** A unique number. */
  number: string;
  accessCode: string;
  noticeId: string;
};

type NameWithBody = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name] extends { body: z.ZodMiniType } ? Name : never;
}[EndpointName];

const ASKED = { challenge: 'jana', origin: ORIGIN, rpId: 'localhost' };
const NEW_PASSWORD = 'matumaini ya kesho';
const CODE = '123456';

const reason = () => ({ reason: 'Haijulikani' });
const report = () => ({ reason: 'scam' as const, text: 'Anaomba pesa' });
const post = () => ({ ...somePost, kind: 'electronics' as const, identifiers: ['AB1234567'] });
const onlyNumber = ({ number }: Named) => ({ whatsapp_number: number });
const onlyPassword = ({ person }: Named) => ({ current_password: person.password });

/** A valid body for each endpoint. Add one for every new endpoint with a body. */
export const SAMPLE_BODIES: { [Name in NameWithBody]: (named: Named) => BodyOf<Name> } = {
  'POST /users': ({ number }) => ({
    username: 'Asha',
    email: `mtu${number.slice(1)}@example.com`,
    whatsapp_number: number,
    password: NEW_PASSWORD,
  }),
  'POST /login': ({ person }) => ({ username: person.email, password: person.password }),
  'PATCH /me': () => ({ username: 'Asha Mpya', language: 'sw' }),
  'PATCH /posts/:id/photos/:photoId': () => ({ alt: 'Simu nyeusi', position: 0 }),
  'POST /me/password': ({ person }) => ({ current_password: person.password, new_password: NEW_PASSWORD }),
  'POST /me/export': onlyPassword,
  'DELETE /me': onlyPassword,
  'POST /me/whatsapp-number': ({ number, person }) => ({
    whatsapp_number: number,
    current_password: person.password,
  }),
  'POST /me/whatsapp-number/confirm': () => ({ verification_code: CODE }),
  'POST /me/email': ({ number, person }) => ({
    email: `mpya${number.slice(1)}@example.com`,
    current_password: person.password,
  }),
  'POST /auth/confirm-email': () => ({ token: 'kiungo' }),
  'POST /auth/number-proofs': onlyNumber,
  'POST /auth/prove-number': onlyNumber,
  'POST /auth/request-password-reset': ({ person }) => ({ whatsapp_number: person.phone }),
  'POST /auth/verify-code': ({ person }) => ({ whatsapp_number: person.phone, verification_code: CODE }),
  'POST /auth/reset-password': ({ person }) => ({
    whatsapp_number: person.phone,
    verification_code: CODE,
    new_password: NEW_PASSWORD,
  }),
  'POST /posts': post,
  'PUT /posts/:id': post,
  'PUT /posts/:id/outcome': () => ({ outcome: 'other' }),
  'POST /posts/:id/reports': report,
  'POST /identifiers/lookup': () => ({ identifier: '356938035643809' }),
  'POST /posts/:id/claims': () => ({ answer: 'Ni changu, kina daftari', phone_number: null }),
  'POST /claims/:id/ask': () => ({ text: 'Rangi gani?' }),
  'POST /claims/:id/reply': () => ({ text: 'Buluu' }),
  'POST /claims/:id/hand-over': () => ({ code: CODE }),
  'POST /claims/:id/reports': report,
  'POST /communities': () => ({ name: 'Shule ya Mbezi', description: '' }),
  'PATCH /communities/:id': () => ({ description: 'Shule ya msingi', is_listed: false }),
  'PUT /communities/:id/members/:userId/role': () => ({ role: 'admin' }),
  'POST /communities/:id/join-requests': () => ({ message: 'Mwanangu anasoma hapa' }),
  'POST /communities/join': ({ accessCode }) => ({ access_code: accessCode }),
  'POST /communities/:id/posts/:postId/hide': reason,
  'POST /communities/:id/posts/:postId/restore': reason,
  'POST /notices/read': ({ noticeId }) => ({ ids: [noticeId], up_to: null }),
  'PUT /me/notice-settings': () => ({
    push: true,
    whatsapp: false,
    email: true,
    quiet_from: '21:00',
    quiet_to: '06:00',
  }),
  'PUT /push/subscriptions': ({ number }) => ({
    endpoint: `${PUSH_ORIGIN}/${number}`,
    keys: new PushService(PUSH_ORIGIN).subscribe().keys,
  }),
  'DELETE /push/subscriptions': () => ({ endpoint: `${PUSH_ORIGIN}/x` }),
  'POST /client-errors': () => ({ name: 'TypeError', frames: ['/assets/index-abc123.js:1:200'] }),
  'PUT /admin/switches': () => ({ registration: true, photos: true, claims: true, whatsapp_notices: true }),
  'POST /feedback': ({ person }) => ({ email: person.email, message: 'Asante' }),
  'POST /admin/communities/:id/approve': () => ({}),
  'POST /admin/communities/:id/reject': reason,
  'POST /admin/communities/:id/admins': ({ other }) => ({ user_id: other.id }),
  'POST /admin/communities/:id/suspend': reason,
  'POST /admin/communities/:id/reinstate': reason,
  'POST /admin/users/:id/suspend': reason,
  'POST /admin/users/:id/reinstate': reason,
  'POST /me/passkeys': ({ person }) => ({
    ...new SoftAuthenticator().register(ASKED),
    current_password: person.password,
  }),
  'POST /admin/step-up': () => new SoftAuthenticator().show(ASKED),
  'POST /admin/posts/:id/hide': reason,
  'POST /admin/posts/:id/restore': reason,
  'POST /dev/whatsapp-incoming': ({ number }) => ({ from: number, text: 'STOP' }),
};

/** @returns a body that the endpoint accepts; undefined if it has none. */
export function sampleBody(name: string, named: Named): unknown {
  const samples: Record<string, ((named: Named) => unknown) | undefined> = SAMPLE_BODIES;
  return samples[name]?.(named);
}
