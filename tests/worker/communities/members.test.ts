import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type {
  ApprovedCommunity,
  Community,
  CommunityMember,
  CommunityPage,
  CommunityStats,
  JoinRequest,
} from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, newPerson, newPost, type Person, read } from '#tests/worker/support/api.ts';
import {
  type CommunityWorld,
  join,
  newCommunity,
  newPeople,
  newWorld,
  type People,
} from '#tests/worker/support/communities.ts';
import { channelOf, lostAndFound } from '#tests/worker/support/notices.ts';
import { forgetPosts, postAndMatch } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { clearExpired } from '#worker/retention.ts';

describe('members', () => {
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

  /** Gives the person this role in the community, with `joinedAt` as the time of joining. */
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

  test('changing a member’s role affects only this member in this community, and the response contains the new role', async () => {
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

  test('removing a member or leaving a community affects only that person’s membership in that community', async () => {
    const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
    const before = [await rolesIn(world), await rolesIn(other)];
    await call('DELETE', at(world, `/members/${people.victim.id}`), undefined, people.admin);
    await call('DELETE', at(world, '/members/me'), undefined, people.member);
    const { [people.victim.id]: _, [people.member.id]: __, ...left } = before[0] ?? {};
    expect([await rolesIn(world), await rolesIn(other)]).toEqual([left, before[1]]);
    // A person who has left can join again by the access code; a person who was removed cannot.
    expect((await join(world.accessCode, people.member)).status).toBe(200);
    expect((await join(world.accessCode, people.victim)).status).toBe(403);
  });

  test('a member who was removed twice cannot join again for thirty days after the second removal', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    await join(world.accessCode, person);
    await call('DELETE', at(world, `/members/${person.id}`), undefined, people.admin);
    await env.DB.prepare('update community_removals set removed_at = 1 where user_id = ?').bind(person.id).run();
    expect((await join(world.accessCode, person)).status).toBe(200);
    await call('DELETE', at(world, `/members/${person.id}`), undefined, people.admin);
    expect((await join(world.accessCode, person)).status).toBe(403);
  });

  test('nobody can join a pending community, even with its access code', async () => {
    const [creator, person] = [await newPerson(), await newPerson()];
    const pending = await newCommunity(creator);
    expect((await join(pending.access_code, person)).status).toBe(403);
    expect(await rolesIn(pending)).toEqual({ [creator.id]: 'admin' });
  });

  test('a person who is not a member can neither close nor reopen a community with one member', async () => {
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
    'if a community’s creator %s, the statistics name its longest-standing admin instead of the creator',
    async (_way, stepBack) => {
      const [world, eldest] = [await newWorld(people, 'admin'), await newPerson()];
      await enrol(world, people.fellow, 'admin', 9);
      await enrol(world, eldest, 'admin', 5);
      await enrol(world, people.admin, 'admin', 7);
      const named = async () => (await read<CommunityStats>(at(world, '/stats'), eldest)).admin_username;
      // While the creator is an admin, the statistics name the creator, even if another admin joined earlier.
      await call('DELETE', at(world, '/members/me'), undefined, people.member);
      expect(await named()).toBe(people.admin.username);
      const { admins } = await read<CommunityPage>(at(world), people.victim);
      expect(admins).toEqual([eldest, people.admin, people.fellow].map(({ username }) => username));
      expect((await stepBack(world, people.admin)).ok).toBe(true);
      expect(await named()).toBe(eldest.username);
    },
  );

  test('a community’s page names the twenty admins who joined first, in the order in which they joined', async () => {
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

  test('members who joined at the same time are each listed on exactly one page', async () => {
    const world = await newWorld(people, 'admin');
    const listed = await pageThrough<CommunityMember>(at(world, '/members?limit=1'), people.admin);
    const ids = listed.map(({ user_id }) => user_id);
    expect(ids).toEqual([people.admin, people.fellow, people.member, people.victim].map(({ id }) => id).sort());
  });

  test('a person’s own communities are listed with the most recently joined first', async () => {
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
    'a person who %s loses the notices about posts of the community, and keeps every other notice',
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

  test('if several places have equally many posts, the statistics show the place with the newest post as the most active', async () => {
    const world = await newWorld(people, 'admin');
    for (const location of ['Ubungo', 'Kariakoo', 'Mbezi', 'Kariakoo', 'Ubungo'])
      await newPost(people.member, { community_code: world.code, location });
    await newPost(people.member, { location: 'Mbezi' });
    const stats = () => read<CommunityStats>(at(world, '/stats'), people.admin);
    // `newWorld` has also created a post, in Mbezi.
    expect(await stats()).toMatchObject({ total_posts: 6, most_active_location: 'Ubungo' });
  });
});

describe('requests to join', () => {
  const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}/join-requests${path}`;

  let people: People;
  beforeAll(async () => {
    people = await newPeople();
  });

  const ask = (world: { id: string }, person: Person, body: unknown = {}, headers: Record<string, string> = {}) =>
    call('POST', at(world), body, { ...person, headers });
  const answerOf = async (answer: Response) => [
    answer.status,
    answer.ok ? null : (await answer.json<ErrorBody>()).code,
  ];
  const waitingIn = async (world: { id: string }) =>
    (await read<JoinRequest[]>(at(world), people.admin)).map(({ user_id }) => user_id);
  const toldTo = async (person: Person) => {
    const { results } = await env.DB.prepare('select body from notices where recipient_id = ?').bind(person.id).all();
    return results.map(({ body }) => JSON.parse(String(body)) as { type: string; id: string; community_id: string });
  };
  /** Whether the person's last notice is in their mailbox. */
  const isToldAtOnce = async (person: Person) => {
    const { id = '' } = (await toldTo(person)).at(-1) ?? {};
    return (await channelOf(person).listWaiting([id])).length === 1;
  };

  test('a request notifies only the community’s admins, and accepting the request makes its sender a member', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const asked = await ask(world, person, { message: 'Mimi ni mzazi wa Neema.' });
    expect(asked.status).toBe(201);
    expect(await asked.json()).toEqual({ community_id: world.id, status: 'waiting' });
    for (const admin of [people.admin, people.fellow])
      expect((await toldTo(admin)).filter(({ community_id }) => community_id === world.id)).toEqual([
        {
          type: 'join_request',
          id: expect.any(String),
          community_id: world.id,
          name: 'Shule',
          created_at: expect.any(String),
        },
      ]);
    expect([await isToldAtOnce(people.admin), await isToldAtOnce(people.fellow)]).toEqual([true, true]);
    expect(await toldTo(people.member)).toEqual([]);
    expect(await read<JoinRequest[]>(at(world), people.admin)).toEqual([
      {
        user_id: people.requester.id,
        username: people.requester.username,
        message: 'Ni mwanafunzi',
        created_at: expect.any(String),
      },
      {
        user_id: person.id,
        username: person.username,
        message: 'Mimi ni mzazi wa Neema.',
        created_at: expect.any(String),
      },
    ]);
    const page = `/api/communities/${world.id}`;
    expect(await read<CommunityPage>(page, people.admin)).toMatchObject({ waiting_requests: 2, member_count: 4 });
    expect(await read<CommunityPage>(page, people.member)).toMatchObject({
      waiting_requests: 0,
      admins: expect.arrayContaining([people.admin.username, people.fellow.username]),
    });
    expect((await call('POST', at(world, `/${person.id}/accept`), undefined, people.fellow)).status).toBe(204);
    expect(await toldTo(person)).toEqual([
      {
        type: 'join_accepted',
        id: expect.any(String),
        community_id: world.id,
        name: 'Shule',
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await isToldAtOnce(person)).toBe(true);
    expect(await read(page, person)).toMatchObject({ member_role: 'member', member_count: 5 });
    expect(await waitingIn(world)).toEqual([people.requester.id]);
  });

  test('the list of requests to join is returned in pages, which together contain every request once', async () => {
    const world = await newWorld(people, 'admin');
    for (let n = 0; n < 2; n++) await ask(world, await newPerson());
    const all = await waitingIn(world);
    expect(all).toHaveLength(3);
    const first = await call('GET', at(world, '?limit=2'), undefined, people.admin);
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const pages = [...(await first.json<JoinRequest[]>()), ...(await read<JoinRequest[]>(next, people.admin))];
    expect(pages.map(({ user_id }) => user_id)).toEqual(all);
  });

  test('a request that breaks several rules is refused with the error of the rule that is checked first', async () => {
    const world = await newWorld(people, 'admin', { isListed: false });
    const list = (isListed: boolean) =>
      call('PATCH', `/api/communities/${world.id}`, { is_listed: isListed }, people.admin);
    // A community that is not listed exists for its members only.
    for (const person of [people.stranger, people.removed, people.requester])
      expect(await answerOf(await ask(world, person))).toEqual([404, 'community_not_found']);
    expect(await answerOf(await ask(world, people.member))).toEqual([409, 'already_member']);
    expect(await answerOf(await ask({ id: crypto.randomUUID() }, people.stranger))).toEqual([
      404,
      'community_not_found',
    ]);
    const pending = await newCommunity(people.admin);
    expect(await answerOf(await ask(pending, people.stranger))).toEqual([404, 'community_not_found']);
    await list(true);
    expect(await answerOf(await ask(world, people.removed))).toEqual([403, 'removed_from_community']);
    expect(await answerOf(await ask(world, people.requester))).toEqual([409, 'already_requested']);
    await env.DB.prepare("update memberships set role = 'member' where community_id = ?").bind(world.id).run();
    expect(await answerOf(await ask(world, people.stranger))).toEqual([403, 'community_has_no_admin']);
    expect(await answerOf(await ask(world, people.stranger, { message: 'x'.repeat(501) }))).toEqual([
      422,
      'validation_failed',
    ]);
  });

  test('a person can make at most three requests a day; a repeated request to the same community does not count', async () => {
    const person = await newPerson();
    const worlds = await Promise.all(Array.from({ length: 4 }, () => newWorld(people, 'admin')));
    const [first, second, third, fourth] = worlds as [
      (typeof worlds)[0],
      (typeof worlds)[0],
      (typeof worlds)[0],
      (typeof worlds)[0],
    ];
    expect((await ask(first, person)).status).toBe(201);
    expect((await ask(first, person)).status).toBe(409);
    for (const world of [second, third]) expect((await ask(world, person)).status).toBe(201);
    const refused = await ask(fourth, person);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_600);
    expect(await waitingIn(fourth)).toEqual([people.requester.id]);
    expect((await ask(first, person)).status).toBe(409);
  });

  test('a person whose request was declined is not notified, and may ask again after seven days', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    await ask(world, person);
    const isRequested = async () => {
      const listed = await read<ApprovedCommunity[]>('/api/communities/approved?limit=100', person);
      return listed.find(({ id }) => id === world.id)?.has_requested;
    };
    expect(await isRequested()).toBe(true);
    expect((await call('POST', at(world, `/${person.id}/decline`), undefined, people.admin)).status).toBe(204);
    expect(await toldTo(person)).toEqual([]);
    expect(await isRequested()).toBe(true);
    expect(await answerOf(await ask(world, person))).toEqual([409, 'already_requested']);
    expect(await waitingIn(world)).toEqual([people.requester.id]);
    const { waiting_requests } = await read<CommunityPage>(`/api/communities/${world.id}`, people.admin);
    expect(waiting_requests).toBe(1);
    // After the decline no admin can answer the request any more.
    for (const verb of ['accept', 'decline'])
      expect((await call('POST', at(world, `/${person.id}/${verb}`), undefined, people.admin)).status).toBe(404);
    await env.DB.prepare('update join_requests set declined_at = ? where user_id = ?')
      .bind(Date.now() - 7 * DAY_MS - 1, person.id)
      .run();
    expect(await isRequested()).toBe(false);
    const before = Date.now();
    expect((await ask(world, person, { message: 'Bado ni mimi' })).status).toBe(201);
    expect(await waitingIn(world)).toEqual([people.requester.id, person.id]);
    const again = (await read<JoinRequest[]>(at(world), people.admin)).at(-1);
    expect(again?.message).toBe('Bado ni mimi');
    expect(Date.parse(again?.created_at ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('a request sent twice with one idempotency key is stored once; a request with this key and another text is refused', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const headers = { 'Idempotency-Key': 'moja' };
    const answers = [];
    for (let times = 0; times < 2; times++) answers.push(await ask(world, person, { message: 'Mimi' }, headers));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await answers[1]?.json()).toEqual({ community_id: world.id, status: 'waiting' });
    expect((await toldTo(people.admin)).filter(({ community_id }) => community_id === world.id)).toHaveLength(1);
    expect(await answerOf(await ask(world, person, { message: 'Wewe' }, headers))).toEqual([
      422,
      'idempotency_mismatch',
    ]);
    // An idempotency key can be used again if its first request created nothing.
    const other = await newWorld(people, 'admin', { isListed: false });
    expect((await ask(other, person, {}, headers)).status).toBe(404);
    await call('PATCH', `/api/communities/${other.id}`, { is_listed: true }, people.admin);
    expect((await ask(other, person, {}, headers)).status).toBe(201);
  });

  test('after an admin has accepted a request to join, sending it again with its idempotency key creates no second request', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const headers = { 'Idempotency-Key': 'moja' };
    expect((await ask(world, person, {}, headers)).status).toBe(201);
    await call('POST', at(world, `/${person.id}/accept`), undefined, people.admin);
    expect(await answerOf(await ask(world, person, {}, headers))).toEqual([409, 'idempotency_conflict']);
    expect(await answerOf(await ask(world, person, {}, { 'Idempotency-Key': 'pili' }))).toEqual([
      409,
      'already_member',
    ]);
  });

  test('sending a declined request again with its idempotency key returns 201 again, so that the decline is not revealed', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const headers = { 'Idempotency-Key': 'moja' };
    expect((await ask(world, person, {}, headers)).status).toBe(201);
    await call('POST', at(world, `/${person.id}/decline`), undefined, people.admin);
    expect((await ask(world, person, {}, headers)).status).toBe(201);
  });

  test('joining by access code deletes the person’s request, and an unanswered request is deleted after 90 days', async () => {
    const [world, person, patient] = [await newWorld(people, 'admin'), await newPerson(), await newPerson()];
    const other = await newWorld(people, 'admin');
    for (const somebody of [person, patient]) await ask(world, somebody);
    await ask(other, person);
    await call('POST', '/api/communities/join', { access_code: world.accessCode }, person);
    expect(await waitingIn(world)).toEqual([people.requester.id, patient.id]);
    expect(await waitingIn(other)).toEqual([people.requester.id, person.id]);
    const db = openDb(env);
    await clearExpired(db, Date.now() + 89 * DAY_MS);
    expect(await waitingIn(world)).toContain(patient.id);
    await clearExpired(db, Date.now() + 90 * DAY_MS + 1);
    expect(await waitingIn(world)).toEqual([]);
  });
});
