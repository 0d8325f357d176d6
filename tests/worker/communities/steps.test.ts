import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovedCommunity, CommunityPage } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import {
  type CommunityWorld,
  communityCodeOf,
  join,
  newApprovedCommunity,
  newCommunity,
  newPeople,
  newPlatformAdmin,
  newWorld,
  type People,
  readWorld,
  STANDINGS,
  type Standing,
} from '#tests/worker/support/communities.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { REFUSALS } from '#worker/communities/community-rules.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('steps in a community', () => {
  type Outcome = number | ErrorCode;
  type Step = {
    method: string;
    path: string | ((world: CommunityWorld, people: People) => string);
    body?: (world: CommunityWorld) => unknown;
    isClosing?: true;
    expected: Record<Exclude<Standing, 'ableAdmin' | 'suspendedAdmin'>, Outcome>;
  };

  /**
   * Returns the expected result. A suspended person may only read. An admin counts as the last one if all other admins
   * are suspended.
   */
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

  /** Every action in a community, with its result for each role. */
  const STEPS: Record<string, Step> = {
    'read the community': { method: 'GET', path: '', expected: forMembers(200) },
    'read the members': { method: 'GET', path: '/members', expected: forAdmins(200) },
    'read the statistics': { method: 'GET', path: '/stats', expected: forAdmins(200) },
    'read the QR code': { method: 'GET', path: '/qrcode/base64', expected: forAdmins(200) },
    'read the requests to join': { method: 'GET', path: '/join-requests', expected: forAdmins(200) },
    'change the description': {
      method: 'PATCH',
      path: '',
      body: () => ({ description: 'Mpya' }),
      expected: forAdmins(200),
    },
    'unlist the community': { method: 'PATCH', path: '', body: () => ({ is_listed: false }), expected: forAdmins(200) },
    'ask for a new name': { method: 'PATCH', path: '', body: () => ({ name: 'Sekondari' }), expected: forAdmins(200) },
    'make a new access code': { method: 'POST', path: '/access-code', expected: forAdmins(200) },
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
    'revoke an admin': {
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
    'make oneself an admin': {
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
    'reopen a closing community': { method: 'POST', path: '/reopen', isClosing: true, expected: forAdmins(200) },
    'accept a request to join': {
      method: 'POST',
      path: (_world, { requester }) => `/join-requests/${requester.id}/accept`,
      expected: forAdmins(204),
    },
    'accept a request to join a closing community': {
      method: 'POST',
      path: (_world, { requester }) => `/join-requests/${requester.id}/accept`,
      isClosing: true,
      expected: { ...forAdmins(0), admin: 'community_closing', lastAdmin: 'community_closing' },
    },
    'decline a request to join': {
      method: 'POST',
      path: (_world, { requester }) => `/join-requests/${requester.id}/decline`,
      expected: forAdmins(204),
    },
    'answer a person who has not asked': {
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
    'ask to join a closing community': {
      method: 'POST',
      path: '/join-requests',
      body: () => ({}),
      isClosing: true,
      expected: { ...hidden, member: 'already_member', admin: 'already_member', lastAdmin: 'already_member' },
    },
    'join by the access code': {
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
    'join a closing community': {
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
    'list the community’s posts': {
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
    'post into the community': {
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

  /** @returns the status of a success, or the error code of a refusal. */
  async function take(step: Step, world: CommunityWorld, person?: { token: string }): Promise<Outcome> {
    const path = typeof step.path === 'string' ? step.path : step.path(world, people);
    const address = path.startsWith('/api/') ? path : `/api/communities/${world.id}${path}`;
    const answer = await call(step.method, address, step.body?.(world), person);
    return answer.ok ? answer.status : (await answer.json<ErrorBody>()).code;
  }

  describe.each(sampleOf(Object.entries(STEPS), 10))('the action “%s” in a community', (_name, step) => {
    test.each(STANDINGS)(
      'returns the status or error code that this test file lists for the role “%s”',
      async (standing) => {
        const world = await newWorld(people, standing, { closesAt: step.isClosing ? Date.now() + DAY_MS : null });
        const before = await readWorld(world.id);
        const expected = outcomeOf(step, standing);
        expect(await take(step, world, people[standing])).toBe(expected);
        if (typeof expected === 'string') expect(await readWorld(world.id)).toEqual(before);
      },
    );

    test('is refused without a session token', async () => {
      const world = await newWorld(people, 'admin');
      const before = await readWorld(world.id);
      expect(await take(step, world)).toBe('unauthorized');
      expect(await readWorld(world.id)).toEqual(before);
    });
  });

  test('a community whose only admin is suspended accepts no new members, shows no admin, and can be given a new admin', async () => {
    const world = await newWorld(people, 'suspendedAdmin');
    const runner = await newPerson();
    await env.DB.batch([
      env.DB.prepare("update memberships set role = 'member' where community_id = ? and user_id = ?").bind(
        world.id,
        people.ableAdmin.id,
      ),
      // Moves the community to the top of the platform admins' list, of which this test reads only the first 100.
      env.DB.prepare('update communities set created_at = ? where id = ?').bind(Date.now(), world.id),
    ]);
    const join = () => call('POST', '/api/communities/join', { access_code: world.accessCode }, runner);
    const readPage = async () =>
      (await call('GET', `/api/communities/${world.id}`, undefined, people.member)).json<CommunityPage>();
    expect((await (await join()).json<ErrorBody>()).code).toBe('community_has_no_admin');
    expect((await readPage()).admins).toEqual([]);
    const listed = await call(
      'GET',
      '/api/admin/communities?status=approved&limit=100',
      undefined,
      people.platformAdmin,
    );
    expect(await listed.json()).toContainEqual(expect.objectContaining({ id: world.id, has_admin: false }));
    const appointment = { user_id: people.ableAdmin.id };
    await call('POST', `/api/admin/communities/${world.id}/admins`, appointment, people.platformAdmin);
    expect((await readPage()).admins).toEqual([people.ableAdmin.username]);
    expect((await join()).status).toBe(200);
  });

  test('the list STEPS in this test has at least as many actions as the Worker’s list REFUSALS has rules', () => {
    expect(Object.keys(REFUSALS).length).toBeLessThanOrEqual(Object.keys(STEPS).length);
  });
});

describe('the visibility of communities', () => {
  // These tests call the app directly: `exports.default.fetch` gets slower with each request that a test file makes.

  type Place = { communityId: string; communityCode: string; postId: string; userId: string };
  type Viewer = 'anonymous' | 'stranger' | 'member' | 'communityAdmin' | 'platformAdmin';

  const marker = crypto.randomUUID();
  let people: Record<Exclude<Viewer, 'anonymous'>, Person>;
  let real: Place;
  /** Values of the community that no outsider may read, in any response. */
  let secrets: string[];
  const nowhere: Place = {
    communityId: crypto.randomUUID(),
    communityCode: 'ZZZZ9999',
    postId: crypto.randomUUID(),
    userId: crypto.randomUUID(),
  };

  beforeAll(async () => {
    const { community, creator, platformAdmin } = await newApprovedCommunity({ name: `Siri ${marker}` });
    const [member, stranger] = [await newPerson(), await newPerson()];
    await join(community.access_code, member);
    const communityCode = await communityCodeOf(community.id, creator);
    const post = await newPost(creator, { community_code: communityCode, title: `Ufunguo ${marker}` });
    real = { communityId: community.id, communityCode, postId: post.id, userId: creator.id };
    secrets = [marker, community.access_code, communityCode, community.id, post.id, creator.username, member.username];
    people = { stranger, member, communityAdmin: creator, platformAdmin };
    await list(false);
  });

  let tests = 0;
  // Replaces people before they reach the limit of 300 writes a minute. Beyond the limit every response is the same
  // refusal, so comparing responses would prove nothing.
  beforeEach(async () => {
    if (tests++ % 40 !== 0) return;
    people = { ...people, stranger: await newPerson(), platformAdmin: await newPlatformAdmin() };
  });

  /** Sets whether strangers can find the community by name. */
  async function list(isListed: boolean): Promise<void> {
    const body = { is_listed: isListed };
    const answer = await call('PATCH', `/api/communities/${real.communityId}`, body, people.communityAdmin);
    expect(answer.status).toBe(200);
  }

  /** The share page, which says that a community's post is for members, and repeats the requested URL. */
  const SHARED = '/p/:id';

  /** Every route of the app, so that a new one is tested too. */
  const routes = [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))]
    // Omits a route that ends the viewer's session, because the same people make all requests.
    .filter((route) => !route.startsWith('ALL ') && route !== 'POST /api/me/sign-out-everywhere')
    .map((route) => ({ method: route.split(' ')[0] ?? '', path: route.split(' ')[1] ?? '' }));

  function ask(viewer: Viewer, { method, path }: { method: string; path: string }, place: Place, search = '') {
    const id = path.startsWith('/api/posts') || path === SHARED ? place.postId : place.communityId;
    const target = path.replace(':id', id).replace(':userId', place.userId).replace(/:\w+/, 'x');
    return call(method, target + search, method === 'GET' ? undefined : bodyFor(path, place), {
      ...(viewer !== 'anonymous' && { token: people[viewer].token }),
    });
  }

  function bodyFor(path: string, place: Place): unknown {
    if (path.startsWith('/api/posts')) return { ...somePost, community_code: place.communityCode };
    if (path.endsWith('/join')) return { access_code: place.communityCode };
    if (path === '/api/communities') return { name: 'Nyingine' };
    if (path.endsWith('/role')) return { role: 'member' };
    return { reason: 'Sababu' };
  }

  const searches = (path: string, { communityCode }: Place) =>
    path === '/api/posts' ? ['', `?search=${marker}`, `?community_code=${communityCode}`] : ['', `?search=${marker}`];

  test.each(sampleOf(routes, 20))(
    '$method $path reveals nothing about an unlisted community to people who are not members, not even to a platform admin',
    async (route) => {
      for (const viewer of ['stranger', 'anonymous', 'platformAdmin'] as const) {
        if (viewer === 'platformAdmin' && route.path.startsWith('/api/admin')) continue;
        for (const [index, search] of searches(route.path, real).entries()) {
          const there = await ask(viewer, route, real, search);
          const text = await there.text();
          const told = secrets.filter((secret) => route.path !== SHARED || secret !== real.postId);
          for (const secret of told) expect(text, `${viewer} ${search}`).not.toContain(secret);
          if (route.path.startsWith('/api/admin') || (await isOpenToAll(route.path, there.status))) continue;
          const absent = await ask(viewer, route, nowhere, searches(route.path, nowhere)[index]);
          expect(there.status, `${viewer} ${search}`).toBe(absent.status);
          expect(text).toBe(await absent.text());
        }
      }
    },
  );

  /**
   * Whether the response contains only data that does not depend on the community. The test does not compare such
   * responses, because their data may change between two requests.
   */
  async function isOpenToAll(path: string, status: number): Promise<boolean> {
    return status < 300 && (!path.includes(':') || path === SHARED);
  }

  const EXPECTED: Record<string, Record<Viewer, number>> = {
    '/api/communities/:id': { anonymous: 401, stranger: 404, member: 200, communityAdmin: 200, platformAdmin: 404 },
    '/api/communities/:id/stats': {
      anonymous: 401,
      stranger: 404,
      member: 403,
      communityAdmin: 200,
      platformAdmin: 404,
    },
    '/api/communities/:id/members': {
      anonymous: 401,
      stranger: 404,
      member: 403,
      communityAdmin: 200,
      platformAdmin: 404,
    },
    '/api/communities/:id/qrcode/base64': {
      anonymous: 401,
      stranger: 404,
      member: 403,
      communityAdmin: 200,
      platformAdmin: 404,
    },
    '/api/posts/:id': { anonymous: 404, stranger: 404, member: 200, communityAdmin: 200, platformAdmin: 404 },
  };

  test.each(Object.entries(EXPECTED))(
    'GET %s gives each viewer, such as a member, the HTTP status that rules V1 and V28 of docs/product.md require',
    async (path, expected) => {
      for (const [viewer, status] of Object.entries(expected) as [Viewer, number][]) {
        const answer = await ask(viewer, { method: 'GET', path }, real);
        expect(answer.status, viewer).toBe(status);
        await answer.text();
      }
    },
  );

  test('only members can list a community’s posts or post into it', async () => {
    const expected: Record<Viewer, [list: number, post: number]> = {
      anonymous: [401, 401],
      stranger: [403, 403],
      member: [200, 201],
      communityAdmin: [200, 201],
      platformAdmin: [403, 403],
    };
    for (const [viewer, [list, post]] of Object.entries(expected) as [Viewer, [number, number]][]) {
      const route = { method: 'GET', path: '/api/posts' };
      expect((await ask(viewer, route, real, `?community_code=${real.communityCode}`)).status, viewer).toBe(list);
      expect((await ask(viewer, { ...route, method: 'POST' }, real)).status, viewer).toBe(post);
    }
  });

  test('the directory shows approved communities to every signed-in person, without their access codes', async () => {
    await list(true);
    const answer = await ask(
      'stranger',
      { method: 'GET', path: '/api/communities/approved' },
      real,
      `?search=${marker}`,
    );
    expect(await answer.json<ApprovedCommunity[]>()).toEqual([
      {
        id: real.communityId,
        name: `Siri ${marker}`,
        description: '',
        member_count: 2,
        is_member: false,
        has_requested: false,
      },
    ]);
  });

  test('a pending community is visible only to its creator and the platform admins', async () => {
    const { communityAdmin: creator, stranger, member, platformAdmin } = people;
    const waiting = await newCommunity(creator, { name: `Subira ${crypto.randomUUID()}` });
    const search = `?search=${encodeURIComponent(waiting.name)}`;
    for (const person of [stranger, member, platformAdmin]) {
      expect((await call('GET', `/api/communities/${waiting.id}`, undefined, person)).status).toBe(404);
      expect(await (await call('GET', `/api/communities/approved${search}`, undefined, person)).json()).toEqual([]);
      expect(await (await call('GET', `/api/communities${search}`, undefined, person)).json()).toEqual([]);
    }
    const listed = await call('GET', `/api/admin/communities${search}`, undefined, platformAdmin);
    expect(await listed.json()).toMatchObject([{ id: waiting.id }]);
    expect((await call('GET', `/api/communities/${waiting.id}`, undefined, creator)).status).toBe(200);
    expect(
      await env.DB.prepare('select count(*) as n from memberships where community_id = ?').bind(waiting.id).first('n'),
    ).toBe(1);
  });
});
