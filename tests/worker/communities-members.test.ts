import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Community, CommunityMember, CommunityPage, CommunityStats } from '#contract/communities.ts';
import { call, newPerson, newPost, type Person, read } from './support/api.ts';
import { join, newCommunity } from './support/communities.ts';
import { type CommunityWorld, newPeople, newWorld, type People } from './support/community-world.ts';
import { channelOf, lostAndFound } from './support/live.ts';
import { forgetPosts, postAndMatch } from './support/saved-posts.ts';

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}${path}`;

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

const setRole = (world: { id: string }, { id }: { id: string }, role: string, by = people.admin) =>
  call('PUT', at(world, `/members/${id}/role`), { role }, by);
const rolesIn = async ({ id }: { id: string }) => {
  const { results } = await env.DB.prepare('select user_id, role from memberships where community_id = ?')
    .bind(id)
    .all<{ user_id: string; role: string }>();
  return Object.fromEntries(results.map(({ user_id, role }) => [user_id, role]));
};

/** Makes the person a member, or an admin, who joined at that time. */
async function enrol({ id }: { id: string }, person: Person, role: string, joinedAt: number): Promise<void> {
  await env.DB.prepare(
    `insert into memberships (community_id, user_id, role, joined_at) values (?, ?, ?, ?)
     on conflict (community_id, user_id) do update set role = excluded.role, joined_at = excluded.joined_at`,
  )
    .bind(id, person.id, role, joinedAt)
    .run();
}

async function pageThrough<Item>(path: string, person: Person): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: string | undefined = path; next; ) {
    const answer = await call('GET', next, undefined, person);
    items.push(...(await answer.json<Item[]>()));
    next = /<(.+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  return items;
}

test('a role is changed for one person in one community, and the answer shows it', async () => {
  const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
  const before = [await rolesIn(world), await rolesIn(other)];
  const answer = await setRole(world, people.victim, 'admin');
  const { username } = people.victim;
  const joined = { user_id: people.victim.id, username, joined_at: '1970-01-01T00:00:00.001Z' };
  expect(await answer.json<CommunityMember>()).toEqual({ ...joined, role: 'admin' });
  expect([await rolesIn(world), await rolesIn(other)]).toEqual([
    { ...before[0], [people.victim.id]: 'admin' },
    before[1],
  ]);
  expect(await (await setRole(world, people.victim, 'member')).json()).toEqual({ ...joined, role: 'member' });
  expect(await rolesIn(world)).toEqual(before[0]);
});

test('who is removed or leaves goes from that community alone, and nobody goes with them', async () => {
  const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
  const before = [await rolesIn(world), await rolesIn(other)];
  await call('DELETE', at(world, `/members/${people.victim.id}`), undefined, people.admin);
  await call('DELETE', at(world, '/members/me'), undefined, people.member);
  const { [people.victim.id]: _, [people.member.id]: __, ...left } = before[0] ?? {};
  expect([await rolesIn(world), await rolesIn(other)]).toEqual([left, before[1]]);
  // Who has left is not removed: the code lets them in again, and with it the other community is as it was.
  expect((await join(world.accessCode, people.member)).status).toBe(200);
  expect((await join(world.accessCode, people.victim)).status).toBe(403);
});

test('removed a second time one waits thirty days from then', async () => {
  const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
  await join(world.accessCode, person);
  await call('DELETE', at(world, `/members/${person.id}`), undefined, people.admin);
  await env.DB.prepare('update community_removals set removed_at = 1 where user_id = ?').bind(person.id).run();
  expect((await join(world.accessCode, person)).status).toBe(200);
  await call('DELETE', at(world, `/members/${person.id}`), undefined, people.admin);
  expect((await join(world.accessCode, person)).status).toBe(403);
});

test('nobody comes into a community that waits for approval, whatever they know', async () => {
  const [creator, person] = [await newPerson(), await newPerson()];
  const pending = await newCommunity(creator);
  expect((await join(pending.access_code, person)).status).toBe(403);
  expect(await rolesIn(pending)).toEqual({ [creator.id]: 'admin' });
});

test('who is no member neither closes nor reopens a community of one person', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const [{ id }] = [await newCommunity(person), await newCommunity(stranger)];
  const closesAt = async () => (await read<Community>(at({ id }), person)).closes_at;
  expect((await call('DELETE', at({ id }, '/members/me'), undefined, stranger)).status).toBe(404);
  expect(await closesAt()).toBeNull();
  const left = await call('DELETE', at({ id }, '/members/me'), undefined, person);
  const { closes_at } = await left.json<{ closes_at: string }>();
  expect(Date.parse(closes_at) - Date.now()).toBeGreaterThan(6.99 * 24 * 60 * 60 * 1000);
  expect((await call('POST', at({ id }, '/reopen'), undefined, stranger)).status).toBe(404);
  expect(await closesAt()).toBe(closes_at);
});

const WAYS_TO_STEP_BACK: Record<string, (world: CommunityWorld, creator: Person) => Promise<Response>> = {
  'steps down': (world, creator) => setRole(world, { id: 'me' }, 'member', creator),
  'is made a member': (world, creator) => setRole(world, creator, 'member', people.fellow),
  'is removed': (world, { id }) => call('DELETE', at(world, `/members/${id}`), undefined, people.fellow),
  leaves: (world, creator) => call('DELETE', at(world, '/members/me'), undefined, creator),
};

test.each(Object.entries(WAYS_TO_STEP_BACK))(
  'when its creator %s the longest-standing admin is named in their place',
  async (_way, stepBack) => {
    const [world, eldest] = [await newWorld(people, 'admin'), await newPerson()];
    await enrol(world, people.fellow, 'admin', 9);
    await enrol(world, eldest, 'admin', 5);
    await enrol(world, people.admin, 'admin', 7);
    const named = async () => (await read<CommunityStats>(at(world, '/stats'), eldest)).admin_username;
    // While they are an admin it stays with them, whoever else goes and however long others have been there.
    await call('DELETE', at(world, '/members/me'), undefined, people.member);
    expect(await named()).toBe(people.admin.username);
    const { admins } = await read<CommunityPage>(at(world), people.victim);
    expect(admins).toEqual([eldest, people.admin, people.fellow].map(({ username }) => username));
    expect((await stepBack(world, people.admin)).ok).toBe(true);
    expect(await named()).toBe(eldest.username);
  },
);

test('a page names twenty of those who run it, whoever has been there longest', async () => {
  const world = await newWorld(people, 'admin');
  const names: string[] = [];
  for (let joinedAt = 2; joinedAt < 22; joinedAt++) {
    const person = await newPerson();
    await enrol(world, person, 'admin', joinedAt);
    names.push(person.username);
  }
  for (const person of [people.admin, people.fellow]) await enrol(world, person, 'admin', 22);
  expect((await read<CommunityPage>(at(world), people.member)).admins).toEqual(names);
});

test('those who joined at one time are each on one page', async () => {
  const world = await newWorld(people, 'admin');
  const listed = await pageThrough<CommunityMember>(at(world, '/members?limit=1'), people.admin);
  const ids = listed.map(({ user_id }) => user_id);
  expect(ids).toEqual([people.admin, people.fellow, people.member, people.victim].map(({ id }) => id).sort());
});

test('one’s own communities are listed by when one joined them, the last one first', async () => {
  const person = await newPerson();
  const [first, second, third] = [
    await newWorld(people, 'admin'),
    await newWorld(people, 'admin'),
    await newWorld(people, 'admin'),
  ];
  for (const [index, world] of [second, third, first].entries()) await enrol(world, person, 'member', index + 1);
  const own = await read<Community[]>('/api/communities', person);
  expect(own.map(({ id }) => id)).toEqual([first.id, third.id, second.id]);
});

test.each(['leaves', 'is removed'])(
  'who %s is no longer told of what was posted there, and of everything else still',
  async (how) => {
    const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
    const reader = await newPerson();
    for (const { accessCode } of [world, other]) await join(accessCode, reader);
    await forgetPosts();
    const told: string[] = [];
    for (const communityId of [world.id, other.id, undefined]) {
      const { lost, found } = lostAndFound();
      const mine = await postAndMatch(reader, lost);
      await postAndMatch(people.member, { ...found, ...(communityId && { communityId }) });
      const id = await env.DB.prepare('select id from notices where recipient_id = ? and your_post_id = ?')
        .bind(reader.id, mine)
        .first<string>('id');
      told.push(id ?? 'nobody was told');
      await forgetPosts();
    }
    expect(await channelOf(reader).listWaiting(told)).toEqual(told);
    if (how === 'leaves') await call('DELETE', at(world, '/members/me'), undefined, reader);
    else await call('DELETE', at(world, `/members/${reader.id}`), undefined, people.admin);
    expect(await channelOf(reader).listWaiting(told)).toEqual(told.slice(1));
  },
);

test('of places with as many posts the one that was posted last is the busiest', async () => {
  const world = await newWorld(people, 'admin');
  for (const location of ['Ubungo', 'Kariakoo', 'Mbezi', 'Kariakoo', 'Ubungo'])
    await newPost(people.member, { community_code: world.code, location });
  await newPost(people.member, { location: 'Mbezi' });
  const stats = () => read<CommunityStats>(at(world, '/stats'), people.admin);
  // The world's own post is at Mbezi.
  expect(await stats()).toMatchObject({ total_posts: 6, most_active_location: 'Ubungo' });
});
