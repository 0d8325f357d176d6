import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from './support/api.ts';
import { join } from './support/communities.ts';
import { newPeople, newWorld, type People } from './support/community-world.ts';
import { passCalls } from './support/pass-calls.ts';

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

/** Asks with a database that lets something else happen after the request has read, and before it writes. */
async function callAround(meanwhile: () => Promise<unknown>, method: string, path: string, body: object, by: Person) {
  let trips = 0;
  const DB = passCalls(env.DB, async (ask) => {
    if (++trips === 2) await meanwhile();
    return ask();
  });
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${by.token}` };
  const request = new Request(`${ORIGIN}${path}`, { method, headers, body: JSON.stringify(body) });
  const context = createExecutionContext();
  const answer = await app.fetch(request, { ...env, DB }, context);
  await waitOnExecutionContext(context);
  return answer;
}

test.each(['POST', 'PUT'] as const)(
  'by %s nobody posts into a community that they are let out of at that moment, and another post of theirs can be changed',
  async (method) => {
    const [world, author] = [await newWorld(people, 'admin'), await newPerson()];
    await join(world.accessCode, author);
    const [inside, elsewhere] = [await newPost(author, { community_code: world.code }), await newPost(author)];
    const remove = () => call('DELETE', at(world, `/members/${author.id}`), undefined, people.admin);
    const body = { ...somePost, title: 'Begi jekundu', community_code: world.code };
    const path = method === 'POST' ? '/api/posts' : `/api/posts/${elsewhere.id}`;
    const answer = await callAround(remove, method, path, body, author);
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([403, 'not_a_member']);
    const { results } = await env.DB.prepare(
      'select id, community_id, title from posts where author_id = ? order by community_id is null',
    )
      .bind(author.id)
      .all();
    expect(results).toEqual([
      { id: inside.id, community_id: world.id, title: inside.title },
      { id: elsewhere.id, community_id: null, title: elsewhere.title },
    ]);
    expect((await call('PUT', `/api/posts/${inside.id}`, body, author)).status).toBe(200);
  },
);
