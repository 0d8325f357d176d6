import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CommunityPage } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import { call, newPerson, somePost } from '#tests/worker/support/api.ts';
import {
  type CommunityWorld,
  newPeople,
  newWorld,
  type People,
  readWorld,
  STANDINGS,
  type Standing,
} from '#tests/worker/support/communities.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { REFUSALS } from '#worker/communities/community-rules.ts';

type Outcome = number | ErrorCode;
type Step = {
  method: string;
  path: string | ((world: CommunityWorld, people: People) => string);
  body?: (world: CommunityWorld) => unknown;
  isClosing?: true;
  expected: Record<Exclude<Standing, 'ableAdmin' | 'suspendedAdmin'>, Outcome>;
};

/** A suspended person reads as before but does nothing. An admin beside suspended ones only is the last able one. */
function outcomeOf({ method, expected }: Step, standing: Standing): Outcome {
  if (standing === 'ableAdmin') return expected.lastAdmin;
  if (standing !== 'suspendedAdmin') return expected[standing];
  return method === 'GET' ? expected.admin : 'suspended';
}

const hidden = {
  stranger: 'community_not_found',
  removed: 'community_not_found',
  requester: 'community_not_found',
  platformAdmin: 'community_not_found',
} as const;
const forMembers = (status: number) => ({ ...hidden, member: status, admin: status, lastAdmin: status });
const forAdmins = (status: number, lastAdmin: Outcome = status) =>
  ({ ...hidden, member: 'forbidden', admin: status, lastAdmin }) as const;
const outside = 'not_a_member' as const;

/** Every step, with its result for each person who may try it. */
const STEPS: Record<string, Step> = {
  'read it': { method: 'GET', path: '', expected: forMembers(200) },
  'read its members': { method: 'GET', path: '/members', expected: forAdmins(200) },
  'read its statistics': { method: 'GET', path: '/stats', expected: forAdmins(200) },
  'read its QR code': { method: 'GET', path: '/qrcode/base64', expected: forAdmins(200) },
  'read who asks': { method: 'GET', path: '/join-requests', expected: forAdmins(200) },
  'change it': { method: 'PATCH', path: '', body: () => ({ description: 'Mpya' }), expected: forAdmins(200) },
  'unlist it': { method: 'PATCH', path: '', body: () => ({ is_listed: false }), expected: forAdmins(200) },
  'ask for a new name': { method: 'PATCH', path: '', body: () => ({ name: 'Sekondari' }), expected: forAdmins(200) },
  'renew the code': { method: 'POST', path: '/access-code', expected: forAdmins(200) },
  'make a member an admin': {
    method: 'PUT',
    path: ({ victim }) => `/members/${victim.id}/role`,
    body: () => ({ role: 'admin' }),
    expected: forAdmins(200),
  },
  'make a stranger an admin': {
    method: 'PUT',
    path: (_world, { stranger }) => `/members/${stranger.id}/role`,
    body: () => ({ role: 'admin' }),
    expected: { ...forAdmins(0), admin: 'member_not_found', lastAdmin: 'member_not_found' },
  },
  'unmake an admin': {
    method: 'PUT',
    path: (_world, { fellow }) => `/members/${fellow.id}/role`,
    body: () => ({ role: 'member' }),
    expected: forAdmins(200, 'member_not_found'),
  },
  'step down': {
    method: 'PUT',
    path: '/members/me/role',
    body: () => ({ role: 'member' }),
    expected: forAdmins(200, 'last_admin'),
  },
  'make themself an admin': {
    method: 'PUT',
    path: '/members/me/role',
    body: () => ({ role: 'admin' }),
    expected: forAdmins(200),
  },
  'remove a member': { method: 'DELETE', path: ({ victim }) => `/members/${victim.id}`, expected: forAdmins(204) },
  'remove a stranger': {
    method: 'DELETE',
    path: (_world, { stranger }) => `/members/${stranger.id}x`,
    expected: { ...forAdmins(0), admin: 'member_not_found', lastAdmin: 'member_not_found' },
  },
  leave: { method: 'DELETE', path: '/members/me', expected: { ...forMembers(204), lastAdmin: 'last_admin' } },
  'close it': { method: 'DELETE', path: '', expected: forAdmins(202) },
  'take the closing back': { method: 'POST', path: '/reopen', isClosing: true, expected: forAdmins(200) },
  'let in who asks': {
    method: 'POST',
    path: (_world, { requester }) => `/join-requests/${requester.id}/accept`,
    expected: forAdmins(204),
  },
  'let nobody in while it closes': {
    method: 'POST',
    path: (_world, { requester }) => `/join-requests/${requester.id}/accept`,
    isClosing: true,
    expected: { ...forAdmins(0), admin: 'community_closing', lastAdmin: 'community_closing' },
  },
  'decline who asks': {
    method: 'POST',
    path: (_world, { requester }) => `/join-requests/${requester.id}/decline`,
    expected: forAdmins(204),
  },
  'answer who has not asked': {
    method: 'POST',
    path: (_world, { stranger }) => `/join-requests/${stranger.id}/accept`,
    expected: { ...forAdmins(0), admin: 'join_request_not_found', lastAdmin: 'join_request_not_found' },
  },
  'ask to join': {
    method: 'POST',
    path: '/join-requests',
    body: () => ({ message: ' ' }),
    expected: {
      stranger: 201,
      platformAdmin: 201,
      removed: 'removed_from_community',
      requester: 'already_requested',
      member: 'already_member',
      admin: 'already_member',
      lastAdmin: 'already_member',
    },
  },
  'ask to join one that closes': {
    method: 'POST',
    path: '/join-requests',
    body: () => ({}),
    isClosing: true,
    expected: { ...hidden, member: 'already_member', admin: 'already_member', lastAdmin: 'already_member' },
  },
  'join by the code': {
    method: 'POST',
    path: () => '/api/communities/join',
    body: ({ accessCode }) => ({ access_code: accessCode }),
    expected: {
      stranger: 200,
      platformAdmin: 200,
      removed: 'removed_from_community',
      requester: 200,
      member: 'already_member',
      admin: 'already_member',
      lastAdmin: 'already_member',
    },
  },
  'join one that closes': {
    method: 'POST',
    path: () => '/api/communities/join',
    body: ({ accessCode }) => ({ access_code: accessCode }),
    isClosing: true,
    expected: {
      stranger: 'community_closing',
      platformAdmin: 'community_closing',
      removed: 'removed_from_community',
      requester: 'community_closing',
      member: 'already_member',
      admin: 'already_member',
      lastAdmin: 'already_member',
    },
  },
  'hide a post': {
    method: 'POST',
    path: ({ postId }) => `/posts/${postId}/hide`,
    body: () => ({ reason: 'Uhuni' }),
    expected: forAdmins(204),
  },
  'list its posts': {
    method: 'GET',
    path: ({ code }) => `/api/posts?community_code=${code}`,
    expected: {
      ...forMembers(200),
      stranger: outside,
      removed: outside,
      requester: outside,
      platformAdmin: outside,
    },
  },
  'post into it': {
    method: 'POST',
    path: () => '/api/posts',
    body: ({ code }) => ({ ...somePost, community_code: code }),
    expected: {
      ...forMembers(201),
      stranger: outside,
      removed: outside,
      requester: outside,
      platformAdmin: outside,
    },
  },
};

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

/** @returns the status of a success, else the code of the refusal. */
async function take(step: Step, world: CommunityWorld, person?: { token: string }): Promise<Outcome> {
  const path = typeof step.path === 'string' ? step.path : step.path(world, people);
  const address = path.startsWith('/api/') ? path : `/api/communities/${world.id}${path}`;
  const answer = await call(step.method, address, step.body?.(world), person);
  return answer.ok ? answer.status : (await answer.json<ErrorBody>()).code;
}

describe.each(sampleOf(Object.entries(STEPS), 10))('%s', (_name, step) => {
  test.each(STANDINGS)('as %s', async (standing) => {
    const world = await newWorld(people, standing, { closesAt: step.isClosing ? Date.now() + DAY_MS : null });
    const before = await readWorld(world.id);
    const expected = outcomeOf(step, standing);
    expect(await take(step, world, people[standing])).toBe(expected);
    if (typeof expected === 'string') expect(await readWorld(world.id)).toEqual(before);
  });

  test('without a token', async () => {
    const world = await newWorld(people, 'admin');
    const before = await readWorld(world.id);
    expect(await take(step, world)).toBe('unauthorized');
    expect(await readWorld(world.id)).toEqual(before);
  });
});

test('with its only admin suspended a community accepts nobody, names no admin, and can get a new one', async () => {
  const world = await newWorld(people, 'suspendedAdmin');
  const runner = await newPerson();
  await env.DB.batch([
    env.DB.prepare("update memberships set role = 'member' where community_id = ? and user_id = ?").bind(
      world.id,
      people.ableAdmin.id,
    ),
    // The first in the platform's list.
    env.DB.prepare('update communities set created_at = ? where id = ?').bind(Date.now(), world.id),
  ]);
  const join = () => call('POST', '/api/communities/join', { access_code: world.accessCode }, runner);
  const readPage = async () =>
    (await call('GET', `/api/communities/${world.id}`, undefined, people.member)).json<CommunityPage>();
  expect((await (await join()).json<ErrorBody>()).code).toBe('community_has_no_admin');
  expect((await readPage()).admins).toEqual([]);
  const listed = await call('GET', '/api/admin/communities?status=approved&limit=100', undefined, people.platformAdmin);
  expect(await listed.json()).toContainEqual(expect.objectContaining({ id: world.id, has_admin: false }));
  const appointment = { user_id: people.ableAdmin.id };
  await call('POST', `/api/admin/communities/${world.id}/admins`, appointment, people.platformAdmin);
  expect((await readPage()).admins).toEqual([people.ableAdmin.username]);
  expect((await join()).status).toBe(200);
});

test('every step of the rules is tested here', () => {
  // The statistics, the members, the code, judging a post, and undoing the closing alone are in communities-closing.
  expect(Object.keys(REFUSALS).length).toBeLessThanOrEqual(Object.keys(STEPS).length);
});
