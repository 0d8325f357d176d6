import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { ApprovedCommunity, CommunityPage, JoinRequest } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { call, newPerson, type Person, read } from './support/api.ts';
import { newCommunity } from './support/communities.ts';
import { newPeople, newWorld, type People } from './support/community-world.ts';
import { channelOf } from './support/live.ts';

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}/join-requests${path}`;

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

const ask = (world: { id: string }, person: Person, body: unknown = {}, headers: Record<string, string> = {}) =>
  call('POST', at(world), body, { ...person, headers });
const answerOf = async (answer: Response) => [answer.status, answer.ok ? null : (await answer.json<ErrorBody>()).code];
const waitingIn = async (world: { id: string }) =>
  (await read<JoinRequest[]>(at(world), people.admin)).map(({ user_id }) => user_id);
const toldTo = async (person: Person) => {
  const { results } = await env.DB.prepare('select body from notices where recipient_id = ?').bind(person.id).all();
  return results.map(({ body }) => JSON.parse(String(body)) as { type: string; id: string; community_id: string });
};
/** Whether the last thing that a person was told is in their mailbox. */
const isToldAtOnce = async (person: Person) => {
  const { id = '' } = (await toldTo(person)).at(-1) ?? {};
  return (await channelOf(person).listWaiting([id])).length === 1;
};

test('who asks is seen by its admins alone, who are told, and is in once one accepts', async () => {
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

test('the list goes on behind its first page', async () => {
  const world = await newWorld(people, 'admin');
  for (let n = 0; n < 2; n++) await ask(world, await newPerson());
  const all = await waitingIn(world);
  expect(all).toHaveLength(3);
  const first = await call('GET', at(world, '?limit=2'), undefined, people.admin);
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  const pages = [...(await first.json<JoinRequest[]>()), ...(await read<JoinRequest[]>(next, people.admin))];
  expect(pages.map(({ user_id }) => user_id)).toEqual(all);
});

test('each answer comes before those after it', async () => {
  const world = await newWorld(people, 'admin', { isListed: false });
  const list = (isListed: boolean) =>
    call('PATCH', `/api/communities/${world.id}`, { is_listed: isListed }, people.admin);
  // One that is not listed is there for nobody but who is in it.
  for (const person of [people.stranger, people.removed, people.requester])
    expect(await answerOf(await ask(world, person))).toEqual([404, 'community_not_found']);
  expect(await answerOf(await ask(world, people.member))).toEqual([409, 'already_member']);
  expect(await answerOf(await ask({ id: crypto.randomUUID() }, people.stranger))).toEqual([404, 'community_not_found']);
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

test('three a day, counted where they are made alone, and said after what is in the way', async () => {
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

test('who is declined learns nothing of it, and may ask again after seven days', async () => {
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
  // Declined once it is answered: no admin lets them in by that request any more.
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

test('a request that is made again under its key is made once, and another one under it is refused', async () => {
  const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
  const headers = { 'Idempotency-Key': 'moja' };
  const answers = [];
  for (let times = 0; times < 2; times++) answers.push(await ask(world, person, { message: 'Mimi' }, headers));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await answers[1]?.json()).toEqual({ community_id: world.id, status: 'waiting' });
  expect((await toldTo(people.admin)).filter(({ community_id }) => community_id === world.id)).toHaveLength(1);
  expect(await answerOf(await ask(world, person, { message: 'Wewe' }, headers))).toEqual([422, 'idempotency_mismatch']);
  // A key that has made nothing is free.
  const other = await newWorld(people, 'admin', { isListed: false });
  expect((await ask(other, person, {}, headers)).status).toBe(404);
  await call('PATCH', `/api/communities/${other.id}`, { is_listed: true }, people.admin);
  expect((await ask(other, person, {}, headers)).status).toBe(201);
});

test('a request that was accepted is not waiting, whoever repeats it under its key', async () => {
  const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
  const headers = { 'Idempotency-Key': 'moja' };
  expect((await ask(world, person, {}, headers)).status).toBe(201);
  await call('POST', at(world, `/${person.id}/accept`), undefined, people.admin);
  expect(await answerOf(await ask(world, person, {}, headers))).toEqual([409, 'idempotency_conflict']);
  expect(await answerOf(await ask(world, person, {}, { 'Idempotency-Key': 'pili' }))).toEqual([409, 'already_member']);
});

test('a request that was declined answers as it did, under its key: nobody is told of it', async () => {
  const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
  const headers = { 'Idempotency-Key': 'moja' };
  expect((await ask(world, person, {}, headers)).status).toBe(201);
  await call('POST', at(world, `/${person.id}/decline`), undefined, people.admin);
  expect((await ask(world, person, {}, headers)).status).toBe(201);
});

test('who comes in by the code asks no more, and a request that nobody answers is forgotten', async () => {
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
