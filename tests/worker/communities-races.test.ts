import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { call, newPerson, type Person } from './support/api.ts';
import { join } from './support/communities.ts';
import { newPeople, newWorld, type People } from './support/community-world.ts';

/** Of what comes at once either may be first: each race is run until that has had its chance. */
const ROUNDS = 6;

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}${path}`;
const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();
const roleOf = (communityId: string, { id }: Person) =>
  env.DB.prepare('select role from memberships where community_id = ? and user_id = ?')
    .bind(communityId, id)
    .first('role');
const adminsOf = (communityId: string) =>
  env.DB.prepare("select count(*) as n from memberships where community_id = ? and role = 'admin'")
    .bind(communityId)
    .first('n');

test.each([
  ['step down', 'PUT', '/members/me/role', { role: 'member' }, [200, 409]],
  ['leave', 'DELETE', '/members/me', undefined, [204, 409]],
] as const)('of two last admins who %s at once one stays', async (_name, method, path, body, expected) => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await newWorld(people, 'admin');
    const answers = await Promise.all(
      [people.admin, people.fellow].map((person) => call(method, at(world, path), body, person)),
    );
    expect(statusesOf(answers)).toEqual(expected);
    expect(await adminsOf(world.id)).toBe(1);
  }
});

test('of two admins who remove, or unmake, each other at once one stays', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await newWorld(people, 'admin');
    const answers = await Promise.all([
      call('DELETE', at(world, `/members/${people.fellow.id}`), undefined, people.admin),
      call('PUT', at(world, `/members/${people.admin.id}/role`), { role: 'member' }, people.fellow),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await adminsOf(world.id)).toBe(1);
  }
});

test('of an acceptance and a refusal at once one counts, and is what happens', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const world = await newWorld(people, 'admin');
    const [accepted, declined] = await Promise.all(
      ['accept', 'decline'].map((verb, index) =>
        call(
          'POST',
          at(world, `/join-requests/${people.requester.id}/${verb}`),
          undefined,
          index === round % 2 ? people.admin : people.fellow,
        ),
      ),
    );
    expect(statusesOf([accepted, declined].flatMap((answer) => answer ?? []))).toEqual([204, 404]);
    expect(await roleOf(world.id, people.requester)).toBe(accepted?.ok ? 'member' : null);
    const told = await env.DB.prepare("select count(*) as n from notices where type = 'join_accepted' and body like ?")
      .bind(`%${world.id}%`)
      .first('n');
    expect(told).toBe(accepted?.ok ? 1 : 0);
  }
});

test('a code that is renewed while somebody joins by it lets them in before or not at all', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const [joined, renewed] = await Promise.all([
      join(world.accessCode, person),
      call('POST', at(world, '/access-code'), undefined, people.admin),
    ]);
    expect(renewed.status).toBe(200);
    expect([200, 404]).toContain(joined.status);
    expect(await roleOf(world.id, person)).toBe(joined.ok ? 'member' : null);
    expect((await join(world.accessCode, await newPerson())).status).toBe(404);
    const { access_code } = await renewed.json<{ access_code: string }>();
    expect((await join(access_code, await newPerson())).status).toBe(200);
  }
});

test('who joins while it closes is in and told, or neither', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const [joined, closing] = await Promise.all([
      join(world.accessCode, person),
      call('DELETE', at(world), undefined, people.admin),
    ]);
    expect(closing.status).toBe(202);
    expect([200, 403]).toContain(joined.status);
    expect(await roleOf(world.id, person)).toBe(joined.ok ? 'member' : null);
    const told = await env.DB.prepare('select type from notices where recipient_id = ?').bind(person.id).first('type');
    expect(told).toBe(joined.ok ? 'community_closing' : null);
  }
});

test('who asks several times at once has asked once, and by code and by asking is in once', async () => {
  const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => call('POST', at(world, '/join-requests'), { message: 'Mimi' }, person)),
  );
  expect(statusesOf(asked)).toEqual([201, 409, 409, 409, 409]);
  const [joined, accepted] = await Promise.all([
    join(world.accessCode, person),
    call('POST', at(world, `/join-requests/${person.id}/accept`), undefined, people.admin),
  ]);
  expect([joined.ok, accepted.ok].filter(Boolean)).toHaveLength(1);
  expect(await roleOf(world.id, person)).toBe('member');
  const left = await env.DB.prepare('select count(*) as n from join_requests where user_id = ?')
    .bind(person.id)
    .first('n');
  expect(left).toBe(0);
});

test('closing twice at once says one time and tells everybody once', async () => {
  const world = await newWorld(people, 'admin');
  const answers = await Promise.all(
    [people.admin, people.fellow].map((person) => call('DELETE', at(world), undefined, person)),
  );
  const [first, second] = await Promise.all(answers.map((answer) => answer.json<{ closes_at: string }>()));
  expect(first).toEqual(second);
  const told = await env.DB.prepare(
    "select count(*) as n from notices where type = 'community_closing' and body like ?",
  )
    .bind(`%${world.id}%`)
    .first('n');
  expect(told).toBe(3);
});
