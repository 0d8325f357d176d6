import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint, type EndpointName } from '#contract/endpoints.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { insertClaim } from '#tests/worker/support/claims.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { SoftAuthenticator } from '#tests/worker/support/moderation.ts';
import { insertPhoto, picture } from '#tests/worker/support/posts.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { readConfig } from '#worker/env.ts';
import { deriveHandoverCode } from '#worker/identity/codes.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';

/** What the requests in this file act on, mostly as ids. "The person" is the person who sends the requests. */
type Target = {
  own: string;
  /** A community that waits for approval. */
  community: { id: string; access_code: string };
  /**
   * Three posts: another person's, one that the person has decided on as an admin, and one in the person's community.
   */
  other: string;
  decided: string;
  inside: readonly [community: string, post: string];
  stranger: string;
  /** A member of the person's own community, and somebody who asks to join this community. */
  member: string;
  requester: string;
  /** Another person's community that strangers can find. */
  listed: string;
  photographed: readonly [post: string, photo: string];
  /** Claims on the person's posts, by state; `mine` is the person's claim on another person's post. */
  claims: Record<'waiting' | 'declining' | 'accepted' | 'mine', string>;
  person: string;
  feedback: string;
};
type Request = {
  path?: (target: Target) => string | readonly string[];
  body?: (target: Target) => unknown;
  headers?: Record<string, string>;
};
type WriteName = Exclude<EndpointName, `GET ${string}`>;

const ownPost = ({ own }: Target) => own;
const pending = ({ community }: Target) => community.id;
const ownCommunity = ({ inside: [community] }: Target) => community;
const nothing = () => crypto.randomUUID();
const ASKED = { challenge: 'jana', origin: ORIGIN, rpId: 'localhost' };

/**
 * Actions that a suspended person, or a person without a phone number, may not take.
 * Add every new writing route to one of the lists in this file.
 */
const PUBLISHING: Partial<Record<WriteName, Request>> = {
  'POST /posts': { body: () => somePost },
  'PUT /posts/:id': { path: ownPost, body: () => somePost },
  'DELETE /posts/:id': { path: ownPost },
  'PATCH /posts/:id/found': { path: ownPost },
  'DELETE /posts/:id/found': { path: ownPost },
  'PUT /posts/:id/outcome': { path: ownPost, body: () => ({ outcome: 'other' }) },
  'POST /posts/:id/wake': { path: ownPost },
  'POST /posts/:id/photos': {
    path: ownPost,
    body: () => picture('grey.jpg'),
    headers: { 'Content-Type': 'image/jpeg' },
  },
  'PATCH /posts/:id/photos/:photoId': { path: ({ photographed }) => photographed, body: () => ({ alt: 'Simu' }) },
  'DELETE /posts/:id/photos/:photoId': { path: ({ photographed }) => photographed },
  'POST /communities': { body: () => ({ name: 'Mpya', description: '' }) },
  'POST /communities/join': { body: ({ community }) => ({ access_code: community.access_code }) },
  'PATCH /communities/:id': { path: ownCommunity, body: () => ({ description: 'Mpya' }) },
  'DELETE /communities/:id': { path: ownCommunity },
  'POST /communities/:id/reopen': { path: ownCommunity },
  'POST /communities/:id/access-code': { path: ownCommunity },
  'PUT /communities/:id/members/:userId/role': {
    path: ({ inside: [community], member }) => [community, member],
    body: () => ({ role: 'admin' }),
  },
  'DELETE /communities/:id/members/:userId': { path: ({ inside: [community], member }) => [community, member] },
  'POST /communities/:id/join-requests': { path: ({ listed }) => listed, body: () => ({ message: 'Ni mwanafunzi' }) },
  'POST /communities/:id/join-requests/:userId/accept': {
    path: ({ inside: [community], requester }) => [community, requester],
  },
  'POST /communities/:id/join-requests/:userId/decline': {
    path: ({ inside: [community], requester }) => [community, requester],
  },
  'POST /feedback': { body: () => ({ email: 'asha@example.com', message: 'Asante' }) },
  'POST /posts/:id/reports': { path: ({ other }) => other, body: () => ({ reason: 'scam' }) },
  'POST /posts/:id/claims': { path: ({ other }) => other, body: () => ({ answer: 'Ni changu' }) },
  'POST /claims/:id/ask': { path: ({ claims }) => claims.waiting, body: () => ({ text: 'Rangi gani?' }) },
  'POST /claims/:id/reply': { path: ({ claims }) => claims.mine, body: () => ({ text: 'Buluu' }) },
  'POST /claims/:id/accept': { path: ({ claims }) => claims.waiting },
  'POST /claims/:id/decline': { path: ({ claims }) => claims.waiting },
  'POST /claims/:id/undo': { path: ({ claims }) => claims.declining },
  'POST /claims/:id/withdraw': { path: ({ claims }) => claims.mine },
  'POST /claims/:id/hand-over': {
    path: ({ claims }) => claims.accepted,
    body: ({ claims }) => ({ code: deriveHandoverCode(readConfig(env).keys.code, claims.accepted) }),
  },
  'POST /claims/:id/reports': { path: ({ claims }) => claims.mine, body: () => ({ reason: 'scam' }) },
  'POST /communities/:id/posts/:postId/hide': { path: ({ inside }) => inside, body: () => ({ reason: 'Uhuni' }) },
  'POST /communities/:id/posts/:postId/restore': { path: ({ inside }) => inside },
  'POST /admin/posts/:id/hide': { path: ownPost, body: () => ({ reason: 'Uhuni' }) },
  'POST /admin/posts/:id/restore': { path: ownPost },
  'POST /admin/posts/:id/undo': { path: ({ decided }) => decided },
  'POST /admin/users/:id/suspend': { path: ({ stranger }) => stranger, body: () => ({ reason: 'Utapeli' }) },
  'POST /admin/users/:id/reinstate': { path: ({ stranger }) => stranger },
  'POST /admin/communities/:id/suspend': { path: ownCommunity, body: () => ({ reason: 'Utapeli' }) },
  'POST /admin/communities/:id/reinstate': { path: ownCommunity },
  'POST /admin/feedback/:id/done': { path: ({ feedback }) => feedback },
  'DELETE /admin/admins/:userId': { path: ({ stranger }) => stranger },
  'POST /admin/communities/:id/approve': { path: pending },
  'POST /admin/communities/:id/admins': { path: ownCommunity, body: ({ person }) => ({ user_id: person }) },
  'PUT /admin/switches': {
    body: () => ({ registration: true, photos: true, claims: true, whatsapp_notices: true }),
  },
  'POST /admin/communities/:id/reject': { path: pending, body: () => ({ reason: 'Haijulikani' }) },
};

/** Actions that a suspended person may still take, with the status of each response in this test. */
const GOING_ON: Partial<Record<WriteName, Request & { status: number }>> = {
  'POST /matches/:pairId/confirm': { path: nothing, status: 404 },
  'POST /matches/:pairId/dismiss': { path: nothing, status: 404 },
  'POST /posts/:id/block-author': { path: nothing, status: 404 },
  'POST /claims/:id/block': { path: nothing, status: 404 },
  'DELETE /me/blocks/:id': { path: nothing, status: 404 },
  'POST /identifiers/lookup': { body: () => ({ identifier: '356938035643809' }), status: 403 },
  'POST /notices/read': { body: () => ({}), status: 200 },
  'POST /notices/:id/dismiss': { path: nothing, status: 404 },
  'POST /realtime/ticket': { status: 200 },
  'PUT /me/notice-settings': {
    body: () => ({ push: true, whatsapp: false, email: true, quiet_from: null, quiet_to: null }),
    status: 200,
  },
  'PUT /push/subscriptions': {
    body: () => ({ endpoint: 'https://elsewhere.example', keys: { p256dh: '', auth: '' } }),
    status: 422,
  },
  'DELETE /push/subscriptions': { body: () => ({ endpoint: 'https://fcm.googleapis.com/x' }), status: 204 },
  'PATCH /me': { body: () => ({ language: 'sw' }), status: 200 },
  'POST /me/whatsapp-number': {
    body: () => ({ whatsapp_number: '+255620000001', current_password: 'si hili' }),
    status: 403,
  },
  'POST /me/whatsapp-number/confirm': { body: () => ({ verification_code: '123456' }), status: 400 },
  'POST /me/token': { status: 200 },
  'DELETE /me/devices/:id': { path: nothing, status: 404 },
  'POST /me/password': {
    body: () => ({ current_password: 'si hili', new_password: 'matumaini ya kesho' }),
    status: 403,
  },
  'POST /me/export': { body: () => ({ current_password: 'si hili' }), status: 403 },
  'DELETE /me': { body: () => ({ current_password: 'si hili' }), status: 403 },
  'POST /me/email': { body: () => ({ email: 'asha@example.com', current_password: 'si hili' }), status: 403 },
  'POST /me/passkeys/options': { status: 200 },
  'POST /me/passkeys': { body: () => new SoftAuthenticator().register(ASKED), status: 422 },
  'DELETE /me/passkeys/:id': { path: nothing, status: 404 },
  'POST /admin/step-up/options': { status: 409 },
  'POST /admin/step-up': { body: () => new SoftAuthenticator().show(ASKED), status: 400 },
  // This request comes last, because it makes the token invalid.
  'POST /me/sign-out-everywhere': { status: 200 },
};

/** Routes that are called without a token. */
const NAMELESS = Object.entries<Endpoint>(ENDPOINTS).filter(([, { needs }]) => needs === 'nothing');

const LOSSES = {
  suspended: 'update users set suspended_at = 1 where id = ?',
  number_needed: 'delete from phone_numbers where user_id = ?',
} as const;

/** Whether the person is suspended and the route is for admins. A suspended admin has no admin rights. */
function isLostWith(name: string, code: string): boolean {
  return code === 'suspended' && ENDPOINTS[name as WriteName].needs === 'platform_admin';
}

async function send(name: string, { path, body, headers }: Request, target: Target, person: Person) {
  const [method = '', route = ''] = name.split(' ');
  const ids = [path?.(target) ?? []].flat();
  const address = `/api${route.replace(/:\w+/g, () => ids.shift() ?? '')}`;
  return call(method, address, body?.(target), { ...person, ...(headers && { headers }) });
}

async function makeClaims(person: Person, stranger: Person): Promise<Target['claims']> {
  const [mine, theirs] = [
    { finder: person, claimant: stranger },
    { finder: stranger, claimant: person },
  ];
  const post = async (finder: Person) => ({ postId: (await newPost(finder)).id });
  return {
    waiting: await insertClaim({ ...(await post(person)), ...mine }),
    declining: await insertClaim({ ...(await post(person)), ...mine }, 'declining'),
    accepted: await insertClaim({ ...(await post(person)), ...mine }, 'accepted'),
    mine: await insertClaim({ ...(await post(stranger)), ...theirs }, 'asked'),
  };
}

async function makeTarget(person: Person): Promise<Target> {
  await env.DB.prepare('update users set is_platform_admin = 1 where id = ?').bind(person.id).run();
  const stranger = await newPerson();
  const [own, other, decided] = [await newPost(person), await newPost(stranger), await newPost(stranger)];
  const mine = await newCommunity(person);
  await call('POST', `/api/admin/communities/${mine.id}/approve`, undefined, person);
  const [member, requester] = [await newPerson(), await newPerson()];
  await join(mine.access_code, member);
  await call('POST', `/api/communities/${mine.id}/join-requests`, {}, requester);
  const inside = await newPost(person, { community_code: await communityCodeOf(mine.id, person) });
  await call('POST', `/api/posts/${decided.id}/reports`, { reason: 'scam' }, await newPerson());
  await call('POST', `/api/admin/posts/${decided.id}/hide`, { reason: 'Uhuni' }, person);
  const feedback = crypto.randomUUID();
  await env.DB.prepare(
    "insert into feedback (id, email, message, created_at) values (?, 'mtu@example.com', 'Asante', 1)",
  )
    .bind(feedback)
    .run();
  return {
    own: own.id,
    photographed: [own.id, await insertPhoto(own.id, person)],
    community: await newCommunity(stranger),
    other: other.id,
    decided: decided.id,
    inside: [mine.id, inside.id],
    stranger: stranger.id,
    member: member.id,
    requester: requester.id,
    listed: (await newApprovedCommunity()).community.id,
    claims: await makeClaims(person, stranger),
    person: person.id,
    feedback,
  };
}

/** Returns the rows that the requests in `PUBLISHING` could change, without the notices that our jobs keep writing. */
async function everything(): Promise<unknown[]> {
  const parts = [
    'id, title, is_found, hidden_by from posts',
    "id from notices where type <> 'reports_waiting'",
    'id, suspended_at from users',
  ];
  const whole = [
    'claims',
    'claim_steps',
    'claim_reports',
    'communities',
    'memberships',
    'join_requests',
    'community_removals',
    'feedback',
    'post_reports',
    'moderation_log',
    'switched_off',
    'rate_counters',
    'idempotency_keys',
    'photos',
    'photo_leftovers',
  ].map((table) => `* from ${table}`);
  const rows = await Promise.all([...parts, ...whole].map((what) => env.DB.prepare(`select ${what}`).all()));
  return rows.map(({ results }) => results);
}

test('this test file lists every non-GET route that needs a token as either open or closed to suspended people', () => {
  const writes = Object.keys(ENDPOINTS).filter((name) => !name.startsWith('GET '));
  const decided = [...Object.keys(PUBLISHING), ...Object.keys(GOING_ON)];
  const nameless = NAMELESS.map(([name]) => name).filter((name) => !name.startsWith('GET '));
  expect([...decided, ...nameless].sort()).toEqual(writes.sort());
});

test.each(sampleOf(Object.keys(PUBLISHING), 6))(
  'the request %s works for a person with a phone number who is not suspended',
  async (name) => {
    const person = await newPerson();
    const target = await makeTarget(person);
    if (name.endsWith('/join')) target.community = (await newApprovedCommunity()).community;
    const request = PUBLISHING[name as WriteName] ?? {};
    expect((await send(name, request, target, person)).status).toBe(ENDPOINTS[name as WriteName].status);
  },
);

test.each(Object.entries(LOSSES))(
  'a person who may not publish (error %s) gets 403 from every publishing route, but can use the other non-admin routes',
  async (code, loss) => {
    const person = await newPerson();
    const target = await makeTarget(person);
    const open = { ...target, community: (await newApprovedCommunity()).community };
    await env.DB.prepare(loss).bind(person.id).run();
    const before = await everything();
    for (const [name, request] of Object.entries(PUBLISHING)) {
      const answer = await send(name, request, name.endsWith('/join') ? open : target, person);
      const expected = isLostWith(name, code) ? 'forbidden' : code;
      expect([name, answer.status, (await answer.json<ErrorBody>()).code]).toEqual([name, 403, expected]);
    }
    expect(await everything()).toEqual(before);
    for (const [name, request] of Object.entries(GOING_ON))
      expect([name, (await send(name, request, target, person)).status]).toEqual([
        name,
        isLostWith(name, code) ? 403 : request.status,
      ]);
    const token = await signSessionToken(readConfig(env).keys.session, {
      userId: person.id,
      tokenVersion: 2,
      sessionId: crypto.randomUUID(),
    });
    for (const path of ['/api/me', '/api/posts', '/api/posts/by-owner', '/api/notices', `/api/posts/${target.own}`])
      expect((await call('GET', path, undefined, { token })).status).toBe(200);
  },
  120_000,
);

test('a suspended person’s revoked session token gives 401, not the error for suspended people', async () => {
  const person = await newPerson();
  await env.DB.prepare('update users set suspended_at = 1, token_version = 2 where id = ?').bind(person.id).run();
  expect((await call('POST', '/api/communities', { name: 'Mpya', description: '' }, person)).status).toBe(401);
});

test('for a write request, checking whether the person is suspended makes no extra database call', async () => {
  const person = await newPerson();
  const body = { name: 'Mpya', description: '' };
  expect((await countTrips('POST', '/api/communities', { ...person, body })).trips).toBe(1);
  await env.DB.prepare(LOSSES.suspended).bind(person.id).run();
  expect((await countTrips('POST', '/api/communities', { ...person, body })).trips).toBe(1);
});
