import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import {
  claimed,
  letDeclinePass,
  newClaim,
  newsTypesOf,
  read,
  type Scene,
  statusesOf,
  take,
  wrongCode,
} from '#tests/worker/support/claims.ts';
import { envWithFailingMailboxes, mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { connect, settled } from '#tests/worker/support/notices.ts';
import { sweepIn } from '#tests/worker/support/posts.ts';
import { DEATH_STEP } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { sweep } from '#worker/sweep.ts';

type Asked = [method: string, path: string, person: { token: string }, body?: unknown];

/** Calls the app directly with all requests at once, so that their writes compete in the database only. */
function atOnce(requests: Asked[]): Promise<number[]> {
  const asked = requests.map(async ([method, path, { token }, body]) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await app.fetch(new Request(`${ORIGIN}/api${path}`, init), env, createExecutionContext())).status;
  });
  return Promise.all(asked);
}

const twenty = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: 20 }, (_, index) => make(index));

const count = (statuses: number[], status: number) => statuses.filter((answered) => answered === status).length;

async function accepted(): Promise<Scene & { code: string | null }> {
  const scene = await claimed();
  await take(scene.id, 'accept', scene.finder);
  return { ...scene, code: (await read(scene.id, scene.claimant)).handover_code };
}

test('of twenty concurrent requests to accept one of two claims on a post, only one succeeds, and only one claimant is notified', async () => {
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

test('a claim that is withdrawn and accepted at the same time ends as withdrawn', async () => {
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

test('a claim that is accepted and declined at the same time ends as declined', async () => {
  const { id, finder } = await claimed();
  const statuses = await atOnce(twenty((at) => ['POST', `/claims/${id}/${at % 2 ? 'accept' : 'decline'}`, finder]));
  const { status, history } = await read(id, finder);
  // The finder can accept and then decline, but a declined claim cannot be accepted.
  const steps = history.map(({ step }) => step);
  expect([
    ['claim', 'decline'],
    ['claim', 'accept', 'decline'],
  ]).toContainEqual(steps);
  expect([status, count(statuses, 200)]).toEqual(['declined', steps.length - 1]);
});

test('if a hand-over and the deletion of the post run concurrently, the claim ends once, with one notice to the claimant', async () => {
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

test('only one of twenty concurrent hand-overs of a claim takes effect', async () => {
  const { id, finder, claimant, code } = await accepted();
  const statuses = await atOnce(twenty(() => ['POST', `/claims/${id}/hand-over`, finder, { code }]));
  expect([count(statuses, 200), count(statuses, 409)]).toEqual([1, 19]);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'handed_over']);
});

test('of twenty concurrent wrong hand-over codes, five are counted as attempts, and fifteen are refused with 429', async () => {
  const { id, finder, code } = await accepted();
  const wrong = twenty(
    (at): Asked => ['POST', `/claims/${id}/hand-over`, finder, { code: wrongCode(String(Number(code) + at)) }],
  );
  const statuses = await atOnce(wrong);
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 15]);
  const row = await env.DB.prepare('select wrong_codes from claims where id = ?').bind(id).first();
  expect(row).toEqual({ wrong_codes: 5 });
});

test('only one of twenty concurrent claims by one person on one post is created', async () => {
  const { finder, post } = await claimed();
  const eager = await newPerson();
  const statuses = await atOnce(twenty(() => ['POST', `/posts/${post.id}/claims`, eager, { answer: 'Changu' }]));
  expect([count(statuses, 201), count(statuses, 409)]).toEqual([1, 19]);
  expect(await newsTypesOf(finder)).toEqual(['claim_received', 'claim_received']);
});

test('only one of twenty concurrent questions in a claim succeeds, and only one of twenty concurrent undos of a decline succeeds', async () => {
  const { id, finder } = await claimed();
  const asked = await atOnce(twenty(() => ['POST', `/claims/${id}/ask`, finder, { text: 'Nini?' }]));
  expect([count(asked, 200), count(asked, 409)]).toEqual([1, 19]);
  await take(id, 'decline', finder);
  const undone = await atOnce(twenty(() => ['POST', `/claims/${id}/undo`, finder]));
  expect([count(undone, 200), count(undone, 409)]).toEqual([1, 19]);
});

async function post(bindings: Env, path: string, { token }: Person, body?: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = new Request(`${ORIGIN}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
  const ctx = createExecutionContext();
  await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
}

/** The claim messages that a person's open page receives. */
async function heardBy(person: Person): Promise<string[]> {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages.flatMap(({ type, ...message }) => ('claim_id' in message ? [type] : []));
}

test('if a Worker dies at any point of a hand-over, nothing is stored, or all is stored and each claimant is notified once', async () => {
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
    const { finder, claimant, post: thing, id } = await claimed();
    const rival = await newPerson();
    await newClaim(thing.id, rival);
    await take(id, 'accept', finder);
    const { handover_code: code } = await read(id, claimant);
    const mortal = mortalEnv(dieAt);
    await post(mortal.env, `/claims/${id}/hand-over`, finder, { code });
    if (mortal.isDead()) deaths += DEATH_STEP;
    await sweepIn(1);
    await sweepIn(10);
    const isDone = (await read(id, finder)).status === 'handed_over';
    const own = await (await call('GET', `/api/posts/${thing.id}`, undefined, finder)).json<Post>();
    expect([dieAt, own.is_found]).toEqual([dieAt, isDone]);
    const told = { claimant: isDone ? ['handed_over'] : [], rival: isDone ? ['claim_closed'] : [] };
    expect([dieAt, await heardBy(claimant)]).toEqual([dieAt, ['claim_accepted', ...told.claimant]]);
    expect([dieAt, await heardBy(rival)]).toEqual([dieAt, told.rival]);
    expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', ...told.claimant]);
  }
  // The Worker may die before and after each call: the batch of writes, the read of the notices, the delivery to each
  // of the two mailboxes, and the record of the deliveries.
  expect(deaths).toBeGreaterThanOrEqual(8);
}, 120_000);

test('if the claimant’s mailbox fails, a later run of the scheduled job delivers the notice of the accepted claim exactly once', async () => {
  const { finder, claimant, id } = await claimed();
  await post(
    envWithFailingMailboxes(() => true),
    `/claims/${id}/accept`,
    finder,
  );
  await sweepIn(1);
  await sweepIn(10);
  expect(await heardBy(claimant)).toEqual(['claim_accepted']);
});

test('if the scheduled job dies while it makes a decline final, later runs notify the claimant of the decline exactly once', async () => {
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths && dieAt < 12; dieAt += DEATH_STEP) {
    const { finder, claimant, id } = await claimed();
    await take(id, 'decline', finder);
    await letDeclinePass(id);
    const mortal = mortalEnv(dieAt);
    await sweep(mortal.env).catch(() => {});
    if (mortal.isDead()) deaths += DEATH_STEP;
    await sweepIn(1);
    await sweepIn(10);
    expect([dieAt, await heardBy(claimant)]).toEqual([dieAt, ['claim_declined']]);
  }
  expect(deaths).toBeGreaterThanOrEqual(8);
}, 120_000);

test('when the undo periods of hundreds of declines end, the claimants are notified in batches of limited size', async () => {
  const { finder, claimant, id } = await claimed();
  await take(id, 'decline', finder);
  await env.DB.prepare(
    `insert into claims (id, post_id, post_kind, finder_id, claimant_id, state, decline_due_at, created_at, finder_updated_at,
       claimant_updated_at)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
     select 'due-' || n, 'p-' || n, 'other', ?, ?, 'declining', 1, 1, 1, 1 from numbers`,
  )
    .bind(finder.id, claimant.id)
    .run();
  await sweep(env);
  expect((await env.DB.prepare('select id from claims where decline_due_at <= 1').all()).results).toEqual([]);
  const told = "select count(*) as told from notices where recipient_id = ? and type = 'claim_declined'";
  expect(await env.DB.prepare(told).bind(claimant.id).first()).toEqual({ told: 250 });
});
