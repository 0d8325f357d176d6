import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ApprovedCommunity } from '#contract/communities.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import {
  communityCodeOf,
  join,
  newApprovedCommunity,
  newCommunity,
  newPlatformAdmin,
} from '#tests/worker/support/communities.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';

// Through the pool each request costs more than the one before, and the last of a hundred checks would wait longest.
vi.setConfig({ testTimeout: 120_000 });

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
// Avoids the limit of 300 writes a minute, whose responses would all be alike.
beforeEach(async () => {
  if (tests++ % 40 !== 0) return;
  people = { ...people, stranger: await newPerson(), platformAdmin: await newPlatformAdmin() };
});

/** Whether strangers can find it by name. */
async function list(isListed: boolean): Promise<void> {
  const body = { is_listed: isListed };
  const answer = await call('PATCH', `/api/communities/${real.communityId}`, body, people.communityAdmin);
  expect(answer.status).toBe(200);
}

/** Says that a community's post is for members, and repeats the requested address. */
const SHARED = '/p/:id';

/** Every route of the app, so that a new one is tested too. */
const routes = [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))]
  // Routes that end the viewer's session depend on the viewer only, and the same people make all requests.
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
  '$method $path reveals nothing of a community to a stranger, a visitor and a platform admin',
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

/** Responses that depend on the viewer or the public data, and change over time. */
async function isOpenToAll(path: string, status: number): Promise<boolean> {
  return status < 300 && (!path.includes(':') || path === SHARED);
}

const EXPECTED: Record<string, Record<Viewer, number>> = {
  '/api/communities/:id': { anonymous: 401, stranger: 404, member: 200, communityAdmin: 200, platformAdmin: 404 },
  '/api/communities/:id/stats': { anonymous: 401, stranger: 404, member: 403, communityAdmin: 200, platformAdmin: 404 },
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

test.each(Object.entries(EXPECTED))('GET %s answers each viewer as V1 and V28 require', async (path, expected) => {
  for (const [viewer, status] of Object.entries(expected) as [Viewer, number][]) {
    const answer = await ask(viewer, { method: 'GET', path }, real);
    expect(answer.status, viewer).toBe(status);
    await answer.text();
  }
});

test("only members can list a community's posts or post to it", async () => {
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

test('the directory shows approved communities to anyone signed in, without their codes', async () => {
  await list(true);
  const answer = await ask('stranger', { method: 'GET', path: '/api/communities/approved' }, real, `?search=${marker}`);
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

test('a community waiting for approval is visible only to its creator and the platform admins', async () => {
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
