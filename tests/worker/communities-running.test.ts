import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { Community, CommunityQrCode, RenewedCode } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { LogEntry } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { makeQrCode } from '#worker/communities/qr-code.ts';
import { call, newPerson, newPost, ORIGIN, type Person, read, somePost } from './support/api.ts';
import { join, newCommunity } from './support/communities.ts';
import { newPeople, newWorld, type People } from './support/community-world.ts';

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}${path}`;

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

const codeOf = async (answer: Response) => (await answer.json<ErrorBody>()).code;
const change = (world: { id: string }, body: unknown, person = people.admin) => call('PATCH', at(world), body, person);
const decide = (world: { id: string }, verb: string, body?: unknown) =>
  call('POST', `/api/admin/communities/${world.id}/${verb}`, body, people.platformAdmin);
const lastTold = async (person: Person) => {
  const row = await env.DB.prepare('select body from notices where recipient_id = ? order by rowid desc limit 1')
    .bind(person.id)
    .first<{ body: string }>();
  return JSON.parse(row?.body ?? 'null') as Record<string, unknown> | null;
};
const logOf = async ({ id }: { id: string }) => {
  const entries = await read<LogEntry[]>('/api/admin/log?limit=100', people.platformAdmin);
  return entries.filter(({ target_id }) => target_id === id).map(({ action, reason }) => [action, reason]);
};
async function pendingOf({ id }: { id: string }): Promise<AdminCommunity | undefined> {
  const waiting = await read<AdminCommunity[]>('/api/admin/communities?limit=100', people.platformAdmin);
  return waiting.find((community) => community.id === id);
}

test('what is left out stays, and a new name waits for the platform', async () => {
  const world = await newWorld(people, 'admin');
  const described = await (await change(world, { description: ' Ya wazazi ' })).json<Community>();
  expect(described).toMatchObject({ name: 'Shule', description: 'Ya wazazi', is_listed: true, pending_name: null });
  const renamed = await (await change(world, { name: 'Shule ya Sekondari' })).json<Community>();
  expect(renamed).toMatchObject({ name: 'Shule', description: 'Ya wazazi', pending_name: 'Shule ya Sekondari' });
  expect(await read<Community>(at(world), people.member)).toMatchObject({ name: 'Shule', pending_name: null });
  expect(await (await change(world, {})).json()).toEqual(renamed);
  const search = async (text: string) =>
    (await read<Community[]>(`/api/communities?search=${text}`, people.admin)).map(({ id }) => id).includes(world.id);
  expect(await Promise.all(['shule', 'wazazi', 'sekondari', 'msingi'].map(search))).toEqual([true, true, false, false]);
  expect(await pendingOf(world)).toMatchObject({
    approval_status: 1,
    pending_name: 'Shule ya Sekondari',
    asker: { id: people.admin.id },
    asker_whatsapp_number: people.admin.phone,
  });
  expect((await decide(world, 'approve')).status).toBe(200);
  expect(await read<Community>(at(world), people.member)).toMatchObject({ name: 'Shule ya Sekondari' });
  expect(await Promise.all(['sekondari', 'wazazi'].map(search))).toEqual([true, true]);
  expect(await lastTold(people.admin)).toMatchObject({
    type: 'community_approved',
    community_id: world.id,
    name: 'Shule ya Sekondari',
    former_name: 'Shule',
  });
  expect(await pendingOf(world)).toBeUndefined();
  expect(await codeOf(await decide(world, 'approve'))).toBe('already_decided');
  expect(await logOf(world)).toEqual([['approve_name', null]]);
});

test('a name that is rejected is dropped alone, and why is kept for the next time', async () => {
  const world = await newWorld(people, 'admin');
  const asker = await newPerson();
  await join(world.accessCode, asker);
  await call('PUT', at(world, `/members/${asker.id}/role`), { role: 'admin' }, people.admin);
  await change(world, { name: 'Benki Kuu' }, asker);
  expect((await decide(world, 'reject', { reason: 'Si benki.' })).status).toBe(204);
  expect(await read<Community>(at(world), asker)).toMatchObject({ name: 'Shule', pending_name: null });
  expect(await lastTold(asker)).toMatchObject({ type: 'community_rejected', name: 'Benki Kuu', reason: 'Si benki.' });
  expect(await logOf(world)).toEqual([['reject_name', 'Si benki.']]);
  const other = await newCommunity(asker, { name: 'Benki ya Kijiji' });
  const past = { name: 'Benki Kuu', reason: 'Si benki.', rejected_at: expect.stringMatching(/Z$/) };
  expect(await pendingOf(other)).toMatchObject({ asker: { id: asker.id }, earlier_rejections: [past] });
  const another = await newCommunity(people.member, { name: 'Soko la Kijiji' });
  expect(await pendingOf(another)).toMatchObject({ asker: { id: people.member.id }, earlier_rejections: [] });
  await decide(other, 'reject', { reason: 'Bado si benki.' });
  await change(world, { name: 'Kijiji' }, asker);
  expect((await pendingOf(world))?.earlier_rejections.map(({ reason }) => reason)).toEqual([
    'Bado si benki.',
    'Si benki.',
  ]);
});

test('what was read is approved and nothing else; the name that it has takes the new one back', async () => {
  const world = await newWorld(people, 'admin');
  await change(world, { name: 'Nzuri' });
  await change(world, { name: 'Mbaya' });
  expect(await codeOf(await decide(world, 'approve', { name: 'Nzuri' }))).toBe('wrong_state');
  expect(await read<Community>(at(world), people.admin)).toMatchObject({ name: 'Shule', pending_name: 'Mbaya' });
  expect(await (await change(world, { name: 'Shule' })).json()).toMatchObject({ pending_name: null });
  expect(await pendingOf(world)).toBeUndefined();
  const waiting = await newCommunity(people.admin, { name: 'Mpya' });
  expect(await (await change(waiting, { name: 'Mpya kabisa' })).json()).toMatchObject({
    name: 'Mpya kabisa',
    pending_name: null,
  });
  for (const body of [{ name: ' ' }, { name: null }, { is_listed: 'no' }, { description: 'x'.repeat(2_001) }])
    expect((await change(world, body)).status).toBe(422);
});

test('a name that is asked for once more keeps its place, and another one is of who asked for it last', async () => {
  const world = await newWorld(people, 'admin');
  const asked = () =>
    env.DB.prepare('select pending_name, pending_name_by, pending_name_at from communities where id = ?')
      .bind(world.id)
      .first();
  await change(world, { name: 'Sekondari' });
  await env.DB.prepare('update communities set pending_name_at = 5 where id = ?').bind(world.id).run();
  const first = { pending_name: 'Sekondari', pending_name_by: people.admin.id, pending_name_at: 5 };
  await change(world, { name: 'Sekondari' });
  await change(world, { description: 'Ya bweni' }, people.fellow);
  expect(await asked()).toEqual(first);
  expect((await decide(world, 'approve', { name: 'Sekondari' })).status).toBe(200);
  await change(world, { name: 'Chuo' });
  await change(world, { name: 'Chuo Kikuu' }, people.fellow);
  expect(await pendingOf(world)).toMatchObject({ pending_name: 'Chuo Kikuu', asker: { id: people.fellow.id } });
  await change(world, { name: 'Sekondari' }, people.fellow);
  expect(await asked()).toEqual({ pending_name: null, pending_name_by: null, pending_name_at: null });
});

test('a community that waits is found by the name and the description that it has now', async () => {
  const creator = await newPerson();
  const { id } = await newCommunity(creator, { name: 'Shule', description: 'Kwa wazazi' });
  const finds = async (text: string) => (await read<Community[]>(`/api/communities?search=${text}`, creator)).length;
  await change({ id }, { name: 'Chuo' }, creator);
  expect(await Promise.all(['shule', 'chuo', 'wazazi'].map(finds))).toEqual([0, 1, 1]);
  await change({ id }, { name: 'Kituo', description: 'Kwa vijana' }, creator);
  expect(await Promise.all(['chuo', 'kituo', 'wazazi', 'vijana'].map(finds))).toEqual([0, 1, 0, 1]);
});

test('the QR code is the join link at this address, with the code that lets people in now', async () => {
  const world = await newWorld(people, 'admin');
  const shown = async () => (await read<CommunityQrCode>(at(world, '/qrcode/base64'), people.admin)).qr_code;
  const codeFor = (accessCode: string) => makeQrCode(`${ORIGIN}/communities?join=${accessCode}`);
  expect(await shown()).toBe(await codeFor(world.accessCode));
  const renewed = await call('POST', at(world, '/access-code'), undefined, people.admin);
  const { access_code } = await renewed.json<RenewedCode>();
  expect(await shown()).toBe(await codeFor(access_code));
});

test('whoever is removed sees nothing of it from then on, and no code lets them in for 30 days', async () => {
  const world = await newWorld(people, 'admin');
  const post = await newPost(people.fellow, { community_code: world.code });
  expect((await call('GET', `/api/posts/${post.id}`, undefined, people.victim)).status).toBe(200);
  await call('DELETE', at(world, `/members/${people.victim.id}`), undefined, people.admin);
  expect((await call('GET', `/api/posts/${post.id}`, undefined, people.victim)).status).toBe(404);
  const { access_code } = await (await call('POST', at(world, '/access-code'), undefined, people.admin)).json<{
    access_code: string;
  }>();
  expect((await join(world.accessCode, people.victim)).status).toBe(404);
  expect(await codeOf(await join(access_code, people.victim))).toBe('removed_from_community');
  const age = (ms: number) =>
    env.DB.prepare('update community_removals set removed_at = ? where community_id = ? and user_id = ?')
      .bind(Date.now() - ms, world.id, people.victim.id)
      .run();
  await age(30 * DAY_MS - 60_000);
  expect((await join(access_code, people.victim)).status).toBe(403);
  await age(30 * DAY_MS + 1);
  expect((await join(access_code, people.victim)).status).toBe(200);
});

test.each(['left', 'removed'])(
  'posts of who %s stay, and are theirs to change and to delete, but not to add to',
  async (how) => {
    const world = await newWorld(people, 'admin');
    const [author, reader] = [await newPerson(), people.member];
    await join(world.accessCode, author);
    const post = await newPost(author, { community_code: world.code });
    if (how === 'left') await call('DELETE', at(world, '/members/me'), undefined, author);
    else await call('DELETE', at(world, `/members/${author.id}`), undefined, people.admin);
    expect(await read<Post>(`/api/posts/${post.id}`, author)).toMatchObject({ community_code: world.code });
    const body = { ...somePost, title: 'Begi jekundu', community_code: world.code };
    expect(await (await call('PUT', `/api/posts/${post.id}`, body, author)).json()).toMatchObject({
      title: 'Begi jekundu',
      community_code: world.code,
    });
    expect(await read<Post>(`/api/posts/${post.id}`, reader)).toMatchObject({ title: 'Begi jekundu' });
    expect(await codeOf(await call('POST', '/api/posts', body, author))).toBe('not_a_member');
    const elsewhere = await newPost(author);
    expect(await codeOf(await call('PUT', `/api/posts/${elsewhere.id}`, body, author))).toBe('not_a_member');
    expect((await call('PATCH', `/api/posts/${post.id}/found`, undefined, author)).status).toBe(200);
    expect((await call('DELETE', `/api/posts/${post.id}`, undefined, author)).status).toBe(204);
  },
);

test('an admin posts 200 a day into theirs, and the 30 of everybody elsewhere', async () => {
  const world = await newWorld(people, 'admin');
  const other = await newWorld(people, 'admin');
  const post = (code: string | null, person = people.admin) =>
    call('POST', '/api/posts', { ...somePost, community_code: code }, person);
  expect((await post(world.code)).status).toBe(201);
  const counters = 'select subject, count from rate_counters where subject like ? order by rowid desc limit 1';
  const desk = await env.DB.prepare(counters).bind('desk_post:%').first<{ subject: string; count: number }>();
  const count = (n: number, subject = desk?.subject) =>
    env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(n, subject).run();
  await count(199);
  expect((await post(world.code)).status).toBe(201);
  const refused = await post(world.code);
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 3_600]).toEqual([429, true]);
  for (const code of [other.code, null]) expect((await post(code)).status).toBe(201);
  for (let n = 0; n < 30; n++) expect((await post(world.code, people.member)).status).toBe(201);
  expect((await post(world.code, people.member)).status).toBe(429);
});

test('a platform admin reads the members of any community and makes one its admin, which is in the log', async () => {
  const world = await newWorld(people, 'lastAdmin');
  const members = `/api/admin/communities/${world.id}/members`;
  expect((await call('GET', members, undefined, people.lastAdmin)).status).toBe(403);
  const listed = await read<{ user_id: string; role: string }[]>(members, people.platformAdmin);
  expect(listed.map(({ user_id }) => user_id).sort()).toEqual(
    [people.lastAdmin.id, people.member.id, people.victim.id].sort(),
  );
  const nowhere = `/api/admin/communities/${crypto.randomUUID()}/members`;
  expect((await call('GET', nowhere, undefined, people.platformAdmin)).status).toBe(404);
  for (let times = 0; times < 2; times++)
    expect((await decide(world, 'admins', { user_id: people.member.id })).status).toBe(204);
  expect(await logOf(world)).toEqual([['appoint', null]]);
});

test('the one named as its admin is one still, whoever steps down', async () => {
  const world = await newWorld(people, 'admin');
  const named = async (person: Person) =>
    (await read<{ admin_username: string }>(at(world, '/stats'), person)).admin_username;
  expect(await named(people.admin)).toBe(people.admin.username);
  await call('PUT', at(world, '/members/me/role'), { role: 'member' }, people.admin);
  expect(await named(people.fellow)).toBe(people.fellow.username);
});
