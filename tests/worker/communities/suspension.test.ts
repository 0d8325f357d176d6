import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { ApprovedCommunity, Community } from '#contract/communities.ts';
import type { LogEntry } from '#contract/moderation.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { type Caller, call, newPerson, newPost, type Person, read, somePost } from '#tests/worker/support/api.ts';
import { FOUND, newClaim, newsTypesOf, read as readClaim, refusal, step, take } from '#tests/worker/support/claims.ts';
import {
  communityCodeOf,
  join,
  newApprovedCommunity,
  newCommunity,
  newPlatformAdmin,
} from '#tests/worker/support/communities.ts';
import { decide, statusFor, toldTo } from '#tests/worker/support/moderation.ts';
import { insertPhoto, sweepIn } from '#tests/worker/support/posts.ts';

const SUSPENDED = [403, 'community_suspended'];
const REASON = 'Inauza namba za watu.';

const suspend = (id: string, admin: Caller, reason = REASON) =>
  call('POST', `/api/admin/communities/${id}/suspend`, { reason }, admin);
const reinstate = (id: string, admin: Caller, body?: unknown) =>
  call('POST', `/api/admin/communities/${id}/reinstate`, body, admin);

/** A community with its creator, a member, and a post by each. */
async function newScene(input = {}) {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const member = await newPerson();
  await join(community.access_code, member);
  const code = await communityCodeOf(community.id, creator);
  const mine = await newPost(member, { ...FOUND, community_code: code, ...input });
  const theirs = await newPost(creator, { ...FOUND, title: 'Kofia ya kijani', community_code: code });
  return { community, code, creator, member, platformAdmin, mine, theirs };
}

const listed = async (code: string, person: Person) =>
  (await read<PostEntry[]>(`/api/posts?community_code=${code}`, person)).map(({ Post: { id } }) => id);
const feedOf = async (person: Person, search = '') =>
  (await read<PostEntry[]>(`/api/posts?limit=100${search}`, person)).map(({ Post: { id } }) => id);
const logOf = async (id: string, admin: Person) =>
  (await read<LogEntry[]>('/api/admin/log?limit=100&target_type=community', admin))
    .filter(({ target_id, action }) => target_id === id && action !== 'approve')
    .map(({ actor_id, action, target_name, reason }) => ({ actor_id, action, target_name, reason }));

test('members of a suspended community see neither the community nor its posts, and may leave', async () => {
  const { community, code, member, platformAdmin, theirs } = await newScene();
  expect((await suspend(community.id, platformAdmin)).status).toBe(204);
  for (const path of [`communities/${community.id}`, `posts?community_code=${code}`])
    expect(await refusal(call('GET', `/api/${path}`, undefined, member))).toEqual(SUSPENDED);
  for (const list of ['members', 'stats', 'qrcode/base64', 'join-requests'])
    expect(await refusal(call('GET', `/api/communities/${community.id}/${list}`, undefined, member))).toEqual(
      SUSPENDED,
    );
  expect(await statusFor(theirs.id, member)).toBe(404);
  expect(await feedOf(member)).not.toContain(theirs.id);
  expect(await feedOf(member, '&search=Kofia%20ya%20kijani')).not.toContain(theirs.id);
  const own = await read<Community[]>('/api/communities', member);
  expect(own).toMatchObject([{ id: community.id, is_suspended: true, suspension_reason: null }]);
  const left = await call('DELETE', `/api/communities/${community.id}/members/me`, undefined, member);
  expect(left.status).toBe(204);
});

test('admins of a suspended community still see the community, may post, and see the reason for the suspension', async () => {
  const { community, code, creator, platformAdmin, mine, theirs } = await newScene();
  await suspend(community.id, platformAdmin);
  const page = await read<Community>(`/api/communities/${community.id}`, creator);
  expect(page).toMatchObject({ is_suspended: true, suspension_reason: REASON });
  expect(await listed(code, creator)).toEqual([theirs.id, mine.id]);
  for (const list of ['members', 'stats', 'qrcode/base64', 'join-requests'])
    expect((await call('GET', `/api/communities/${community.id}/${list}`, undefined, creator)).status).toBe(200);
  const added = await newPost(creator, { community_code: code });
  expect(added).toMatchObject({ is_hidden: true, hidden_by: ['community_suspension'], state: 'hidden' });
  expect(await listed(code, creator)).toContain(added.id);
});

test('authors still see and may delete their own posts in a suspended community', async () => {
  const { community, member, platformAdmin, mine } = await newScene();
  await suspend(community.id, platformAdmin);
  expect(await read<Post>(`/api/posts/${mine.id}`, member)).toMatchObject({
    is_hidden: true,
    hidden_by: ['community_suspension'],
  });
  expect((await call('DELETE', `/api/posts/${mine.id}`, undefined, member)).status).toBe(204);
});

test('in a suspended community an ordinary member cannot post, nobody can join or become an admin, and no join request is accepted', async () => {
  const { community, code, creator, member, platformAdmin } = await newScene();
  const [requester, stranger] = [await newPerson(), await newPerson()];
  const request = `/api/communities/${community.id}/join-requests`;
  await call('POST', request, {}, requester);
  const open = await newPost(member, { title: 'Ufunguo wa baiskeli' });
  await suspend(community.id, platformAdmin);
  const body = { ...somePost, community_code: code };
  expect(await refusal(call('POST', '/api/posts', body, member))).toEqual(SUSPENDED);
  expect(await refusal(call('PUT', `/api/posts/${open.id}`, body, member))).toEqual(SUSPENDED);
  expect(await refusal(join(community.access_code, stranger))).toEqual(SUSPENDED);
  expect(await refusal(call('POST', `${request}/${requester.id}/accept`, undefined, creator))).toEqual(SUSPENDED);
  const promotion = call(
    'PUT',
    `/api/communities/${community.id}/members/${member.id}/role`,
    { role: 'admin' },
    creator,
  );
  expect(await refusal(promotion)).toEqual(SUSPENDED);
  expect((await call('POST', `${request}/${requester.id}/decline`, undefined, creator)).status).toBe(204);
});

test('a suspended community is in no list, and gives 404 to people who are not members', async () => {
  const { community, code, platformAdmin, theirs } = await newScene();
  const stranger = await newPerson();
  const names = async () =>
    (await read<ApprovedCommunity[]>('/api/communities/approved?limit=100', stranger)).map(({ id }) => id);
  expect(await names()).toContain(community.id);
  await suspend(community.id, platformAdmin);
  expect(await names()).not.toContain(community.id);
  const ask = (method: string, path: string, body?: unknown) => refusal(call(method, `/api/${path}`, body, stranger));
  expect(await ask('GET', `communities/${community.id}`)).toEqual([404, 'community_not_found']);
  expect(await ask('POST', `communities/${community.id}/join-requests`, {})).toEqual([404, 'community_not_found']);
  expect(await ask('GET', `posts?community_code=${code}`)).toEqual([403, 'not_a_member']);
  expect(await ask('POST', 'posts', { ...somePost, community_code: code })).toEqual([403, 'not_a_member']);
  expect(await statusFor(theirs.id, stranger)).toBe(404);
});

test('only admins of the community are notified of its suspension, and a repeated suspension changes nothing', async () => {
  const { community, creator, member, platformAdmin } = await newScene();
  for (const reason of [REASON, 'Tena']) await suspend(community.id, platformAdmin, reason);
  const page = await read<Community>(`/api/communities/${community.id}`, creator);
  expect(page.suspension_reason).toBe(REASON);
  for (const body of [{ reason: 'Tumeelewana' }, undefined])
    expect((await reinstate(community.id, platformAdmin, body)).status).toBe(204);
  const about = { community_id: community.id, name: community.name };
  expect((await toldTo(creator)).slice(0, 2)).toEqual([
    {
      type: 'community_reinstated',
      id: expect.any(String),
      ...about,
      reason: 'Tumeelewana',
      created_at: expect.any(String),
    },
    { type: 'community_suspended', id: expect.any(String), ...about, reason: REASON, created_at: expect.any(String) },
  ]);
  expect((await toldTo(creator)).filter(({ type }) => /suspended|reinstated/.test(type))).toHaveLength(2);
  expect(await toldTo(member)).toEqual([]);
  expect(await logOf(community.id, platformAdmin)).toEqual([
    { actor_id: platformAdmin.id, action: 'reinstate', target_name: community.name, reason: 'Tumeelewana' },
    { actor_id: platformAdmin.id, action: 'suspend', target_name: community.name, reason: REASON },
  ]);
});

test('after the reinstatement a community works as before the suspension', async () => {
  const { community, code, member, platformAdmin, mine, theirs } = await newScene();
  const before = await read<Post>(`/api/posts/${theirs.id}`, member);
  await suspend(community.id, platformAdmin);
  await reinstate(community.id, platformAdmin);
  expect(await read<Post>(`/api/posts/${theirs.id}`, member)).toMatchObject({ ...before, contact_opens_at: null });
  expect(await listed(code, member)).toEqual([theirs.id, mine.id]);
  expect((await join(community.access_code, await newPerson())).status).toBe(200);
  expect((await call('POST', '/api/posts', { ...somePost, community_code: code }, member)).status).toBe(201);
  expect(await read<Community>(`/api/communities/${community.id}`, member)).toMatchObject({ is_suspended: false });
});

test('a post hidden by an admin and by its community’s suspension stays hidden if only one of the two decisions is undone', async () => {
  const { community, creator, member, platformAdmin, mine } = await newScene();
  const hidersOf = async () => (await read<Post>(`/api/posts/${mine.id}`, member)).hidden_by;
  await suspend(community.id, platformAdmin);
  await decide('hide', mine.id, platformAdmin);
  expect(await hidersOf()).toEqual(['admin', 'community_suspension']);
  await decide('restore', mine.id, platformAdmin);
  expect(await hidersOf()).toEqual(['community_suspension']);
  expect((await toldTo(member)).map(({ type }) => type)).toEqual(['post_hidden']);
  await decide('hide', mine.id, platformAdmin);
  await reinstate(community.id, platformAdmin);
  expect(await hidersOf()).toEqual(['admin']);
  expect(await statusFor(mine.id, await memberOf(creator, community.access_code))).toBe(404);
});

async function memberOf(_creator: Person, accessCode: string): Promise<Person> {
  const person = await newPerson();
  await join(accessCode, person);
  return person;
}

test('a post cannot be moved out of a suspended community, and a post moved into it is hidden', async () => {
  const { community, code, creator, member, platformAdmin, mine } = await newScene();
  const open = await newPost(creator, { title: 'Ufunguo wa baiskeli' });
  await suspend(community.id, platformAdmin);
  const move = (id: string, community_code: string | null, person: Person) =>
    call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Ufunguo wa baiskeli', community_code }, person);
  expect((await move(open.id, code, creator)).status).toBe(200);
  expect(await statusFor(open.id, await newPerson())).toBe(404);
  expect(await refusal(move(mine.id, null, member))).toEqual(SUSPENDED);
  expect(await statusFor(mine.id, await newPerson())).toBe(404);
  await reinstate(community.id, platformAdmin);
  expect((await move(mine.id, null, member)).status).toBe(200);
  expect(await statusFor(mine.id, await newPerson())).toBe(200);
  expect(await statusFor(open.id, member)).toBe(200);
});

test('claims on a suspended community’s posts are paused, and continue after the reinstatement', async () => {
  const { community, creator, member, platformAdmin, mine } = await newScene();
  const { id } = await newClaim(mine.id, creator);
  await suspend(community.id, platformAdmin);
  expect(await refusal(step(id, 'accept', member))).toEqual([409, 'post_hidden']);
  expect(await readClaim(id, creator)).toMatchObject({ is_paused: true, phone_number: null });
  expect(await newsTypesOf(creator)).toEqual(['claim_paused']);
  await reinstate(community.id, platformAdmin);
  expect((await take(id, 'accept', member)).status).toBe('accepted');
});

test('posts of a suspended community match nothing, and are matched again after the reinstatement', async () => {
  const lost = { title: 'Simu ya Tecno Spark nyeusi', description: 'Ina kava la bluu', posted_by: 'owner' };
  const { community, code, creator, member, platformAdmin } = await newScene();
  await suspend(community.id, platformAdmin);
  const added = await newPost(creator, { ...lost, posted_by: 'finder', community_code: code });
  const seeking = await newPost(member, { ...lost });
  await sweepIn(0);
  const matches = async () =>
    (await read<PostEntry[]>(`/api/posts/${seeking.id}/matches`, member)).map(({ Post: { id } }) => id);
  expect(await matches()).toEqual([]);
  await reinstate(community.id, platformAdmin);
  await sweepIn(0);
  expect(await matches()).toEqual([added.id]);
});

test('share pages and photos of a suspended community’s posts disappear immediately', async () => {
  const { community, code, creator, member, platformAdmin, theirs } = await newScene();
  await insertPhoto(theirs.id, creator);
  const photosOf = async (person: Person) => (await read<Post>(`/api/posts/${theirs.id}`, person)).photos;
  const [photo] = await photosOf(member);
  expect((await call('GET', `/p/${theirs.id}`)).status).toBe(200);
  await suspend(community.id, platformAdmin);
  expect((await call('GET', `/p/${theirs.id}`)).status).toBe(404);
  expect((await call('GET', photo?.url ?? '')).status).toBe(404);
  expect(await photosOf(creator)).toHaveLength(1);
  expect(code).not.toBe('');
});

test('a pending community cannot be suspended, and suspending an unknown community gives 404', async () => {
  const admin = await newPlatformAdmin();
  const pending = await newCommunity(await newPerson());
  for (const act of [suspend, reinstate]) {
    expect(await refusal(act(pending.id, admin))).toEqual([409, 'wrong_state']);
    expect(await refusal(act(crypto.randomUUID(), admin))).toEqual([404, 'community_not_found']);
  }
});

test('platform admins see in their list when and why a community was suspended', async () => {
  const { community, platformAdmin } = await newScene();
  const find = async () =>
    (await read<AdminCommunity[]>('/api/admin/communities?status=approved&limit=100', platformAdmin)).find(
      ({ id }) => id === community.id,
    );
  expect(await find()).toMatchObject({ suspended_at: null, suspension_reason: null });
  await suspend(community.id, platformAdmin);
  expect(await find()).toMatchObject({ suspended_at: expect.any(String), suspension_reason: REASON });
});

test('if people join and post at the moment of a community’s suspension, all posts of the community are hidden afterwards', async () => {
  for (let round = 0; round < 5; round++) {
    const { community, code, creator, member, platformAdmin } = await newScene();
    const [joiner, requester] = [await newPerson(), await newPerson()];
    await call('POST', `/api/communities/${community.id}/join-requests`, {}, requester);
    const accept = `/api/communities/${community.id}/join-requests/${requester.id}/accept`;
    const [, joined, posted, accepted] = await Promise.all([
      suspend(community.id, platformAdmin),
      join(community.access_code, joiner),
      call('POST', '/api/posts', { ...somePost, community_code: code }, member),
      call('POST', accept, undefined, creator),
    ]);
    expect([200, 403]).toContain(joined.status);
    expect([201, 403]).toContain(posted.status);
    expect([204, 403]).toContain(accepted.status);
    const open = env.DB.prepare('select id from posts where community_id = ? and hidden_by = 0').bind(community.id);
    expect((await open.all()).results).toEqual([]);
  }
});
