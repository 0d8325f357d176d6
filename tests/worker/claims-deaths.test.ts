import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { sweep } from '#worker/sweep.ts';
import { call, newPerson, ORIGIN, type Person } from './support/api.ts';
import { claimed, letDeclinePass, newClaim, newsTypesOf, read, take } from './support/claims.ts';
import { connect, settled } from './support/live.ts';
import { envWithFailingMailboxes, mortalEnv } from './support/mortal-env.ts';
import { sweepIn } from './support/saved-posts.ts';

async function post(bindings: Env, path: string, { token }: Person, body?: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = new Request(`${ORIGIN}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
  const ctx = createExecutionContext();
  await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
}

/** What a person's open page hears of claims. */
async function heardBy(person: Person): Promise<string[]> {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages.flatMap(({ type, ...message }) => ('claim_id' in message ? [type] : []));
}

test('wherever a Worker dies at a hand-over, all of it has happened or nothing, and everybody is told once', async () => {
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt++) {
    const { finder, claimant, post: thing, id } = await claimed();
    const rival = await newPerson();
    await newClaim(thing.id, rival);
    await take(id, 'accept', finder);
    const { handover_code: code } = await read(id, claimant);
    const mortal = mortalEnv(dieAt);
    await post(mortal.env, `/claims/${id}/hand-over`, finder, { code });
    if (mortal.isDead()) deaths++;
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
  // The one batch, the notices' reading, both mailboxes and what they agreed to: before and after each.
  expect(deaths).toBeGreaterThanOrEqual(8);
}, 120_000);

test('a mailbox that cannot be reached is told later, once', async () => {
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

test('a sweep that dies at a decline leaves it to the next one', async () => {
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths && dieAt < 12; dieAt++) {
    const { finder, claimant, id } = await claimed();
    await take(id, 'decline', finder);
    await letDeclinePass(id);
    const mortal = mortalEnv(dieAt);
    await sweep(mortal.env).catch(() => {});
    if (mortal.isDead()) deaths++;
    await sweepIn(1);
    await sweepIn(10);
    expect([dieAt, await heardBy(claimant)]).toEqual([dieAt, ['claim_declined']]);
  }
  expect(deaths).toBeGreaterThanOrEqual(8);
}, 120_000);

test('hundreds of declines that are due at once are told, a bounded number at a time', async () => {
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
