import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { app } from '#worker/app.ts';
import { newPerson, ORIGIN } from './support/api.ts';
import { claimed, newClaim, newsTypesOf, read, type Scene, statusesOf, take, wrongCode } from './support/claims.ts';

type Asked = [method: string, path: string, person: { token: string }, body?: unknown];

/** Asks the app itself, all at once: what they write meets in the database alone. */
function atOnce(requests: Asked[]): Promise<number[]> {
  const asked = requests.map(async ([method, path, { token }, body]) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await app.fetch(new Request(`${ORIGIN}/api${path}`, init), env, createExecutionContext())).status;
  });
  return Promise.all(asked);
}

const twenty = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: 20 }, (_, index) => make(index));

/** How many were answered so. */
const count = (statuses: number[], status: number) => statuses.filter((answered) => answered === status).length;

async function accepted(): Promise<Scene & { code: string | null }> {
  const scene = await claimed();
  await take(scene.id, 'accept', scene.finder);
  return { ...scene, code: (await read(scene.id, scene.claimant)).handover_code };
}

test('of twenty who accept two claims at once one does, and one claimant is told', async () => {
  const { finder, claimant, post, id } = await claimed();
  const rival = await newPerson();
  const other = await newClaim(post.id, rival);
  const statuses = await atOnce(twenty((at) => ['POST', `/claims/${at % 2 ? id : other.id}/accept`, finder]));
  expect([count(statuses, 200), count(statuses, 409)]).toEqual([1, 19]);
  const both = [(await read(id, finder)).status, (await read(other.id, finder)).status];
  expect(both.sort()).toEqual(['accepted', 'waiting']);
  const told = [...(await newsTypesOf(claimant)), ...(await newsTypesOf(rival))];
  expect(told).toEqual(['claim_accepted']);
});

test('accepting against withdrawing: the claim is withdrawn once, and accepted at most before', async () => {
  const scene = await claimed();
  const { id, finder, claimant } = scene;
  const statuses = await atOnce(
    twenty((at) => (at % 2 ? ['POST', `/claims/${id}/withdraw`, claimant] : ['POST', `/claims/${id}/accept`, finder])),
  );
  const { history } = await read(id, finder);
  const steps = history.map(({ step }) => step);
  expect([
    ['claim', 'withdraw'],
    ['claim', 'accept', 'withdraw'],
  ]).toContainEqual(steps);
  expect(count(statuses, 200)).toBe(steps.length - 1);
  expect(await statusesOf(id, scene)).toEqual(['withdrawn', 'withdrawn']);
});

test('accepting against declining: one of them', async () => {
  const { id, finder } = await claimed();
  const statuses = await atOnce(twenty((at) => ['POST', `/claims/${id}/${at % 2 ? 'accept' : 'decline'}`, finder]));
  const { status, history } = await read(id, finder);
  // What was accepted may be declined at once, but nothing that is declined can be accepted.
  const steps = history.map(({ step }) => step);
  expect([
    ['claim', 'decline'],
    ['claim', 'accept', 'decline'],
  ]).toContainEqual(steps);
  expect([status, count(statuses, 200)]).toEqual(['declined', steps.length - 1]);
});

test('handing over against deleting the post: handed over or closed, and told so once', async () => {
  const { id, finder, claimant, post, code } = await accepted();
  const statuses = await atOnce(
    twenty((at) =>
      at % 2 ? ['DELETE', `/posts/${post.id}`, finder] : ['POST', `/claims/${id}/hand-over`, finder, { code }],
    ),
  );
  const { status } = await read(id, claimant);
  const isHandedOver = status === 'handed_over';
  expect(['handed_over', 'closed']).toContain(status);
  expect(count(statuses, 200)).toBe(isHandedOver ? 1 : 0);
  expect(count(statuses, 204)).toBeGreaterThan(0);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', isHandedOver ? 'handed_over' : 'claim_closed']);
});

test('handing over twenty times at once does it once', async () => {
  const { id, finder, claimant, code } = await accepted();
  const statuses = await atOnce(twenty(() => ['POST', `/claims/${id}/hand-over`, finder, { code }]));
  expect([count(statuses, 200), count(statuses, 409)]).toEqual([1, 19]);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'handed_over']);
});

test('of twenty wrong codes at once five count', async () => {
  const { id, finder, code } = await accepted();
  const wrong = twenty(
    (at): Asked => ['POST', `/claims/${id}/hand-over`, finder, { code: wrongCode(String(Number(code) + at)) }],
  );
  const statuses = await atOnce(wrong);
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 15]);
  const row = await env.DB.prepare('select wrong_codes from claims where id = ?').bind(id).first();
  expect(row).toEqual({ wrong_codes: 5 });
});

test('of twenty claims by one person at once one is made', async () => {
  const { finder, post } = await claimed();
  const eager = await newPerson();
  const statuses = await atOnce(twenty(() => ['POST', `/posts/${post.id}/claims`, eager, { answer: 'Changu' }]));
  expect([count(statuses, 201), count(statuses, 409)]).toEqual([1, 19]);
  expect(await newsTypesOf(finder)).toEqual(['claim_received', 'claim_received']);
});

test('of twenty questions and undos at once each is one step', async () => {
  const { id, finder } = await claimed();
  const asked = await atOnce(twenty(() => ['POST', `/claims/${id}/ask`, finder, { text: 'Nini?' }]));
  expect([count(asked, 200), count(asked, 409)]).toEqual([1, 19]);
  await take(id, 'decline', finder);
  const undone = await atOnce(twenty(() => ['POST', `/claims/${id}/undo`, finder]));
  expect([count(undone, 200), count(undone, 409)]).toEqual([1, 19]);
});
