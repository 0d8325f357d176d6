import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { sweep } from '#worker/sweep.ts';
import { ask, call, newPerson, newPost } from './support/api.ts';
import {
  claim,
  claimed,
  FOUND,
  letDeclinePass,
  newClaim,
  newsOf,
  newsTypesOf,
  read,
  refusal,
  type Scene,
  statusesOf,
  step,
  take,
} from './support/claims.ts';
import { channelOf } from './support/live.ts';

const stepsOf = ({ history }: Claim) => history.map((entry) => entry.step);

/** What either side reads of a claim that was declined and can still be undone. */
async function expectUntold({ id, claimant }: Scene, before: Claim): Promise<void> {
  expect(await read(id, claimant)).toEqual(before);
}

test('until it is in effect the claimant reads what was before, and the finder that it is declined', async () => {
  const scene = await claimed();
  const { id, finder, claimant } = scene;
  const before = await read(id, claimant);
  expect((await take(id, 'decline', finder)).status).toBe('declined');
  await expectUntold(scene, before);
  expect(stepsOf(await read(id, finder))).toEqual(['claim', 'decline']);
  for (const name of ['ask', 'accept', 'decline', 'hand-over']) {
    const body = { ask: { text: 'Nini?' }, 'hand-over': { code: '123456' } }[name];
    expect([name, ...(await refusal(step(id, name, finder, body)))]).toEqual([name, 409, 'wrong_state']);
  }
  expect(await refusal(claim(scene.post.id, claimant))).toEqual([409, 'claim_exists']);
  expect(await newsTypesOf(claimant)).toEqual([]);
});

test('undone, the claimant never knows; again declined and in effect, once', async () => {
  const scene = await claimed();
  const { id, finder, claimant } = scene;
  const before = await read(id, claimant);
  await take(id, 'decline', finder);
  expect((await take(id, 'undo', finder)).status).toBe('waiting');
  await expectUntold(scene, before);
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  expect(stepsOf(await read(id, claimant))).toEqual(['claim', 'decline']);
  expect(stepsOf(await read(id, finder))).toEqual(['claim', 'decline', 'undo', 'decline']);
  expect(await newsTypesOf(claimant)).toEqual(['claim_declined']);
});

test('of what was declined and undone again and again the newest ten stay, and nobody is kept from it', async () => {
  const scene = await claimed();
  const { id, finder } = scene;
  const before = await read(id, scene.claimant);
  for (let time = 0; time < 12; time++) {
    await take(id, 'decline', finder);
    await take(id, 'undo', finder);
  }
  const kept = Array.from({ length: 10 }, () => ['decline', 'undo']).flat();
  expect(stepsOf(await read(id, finder))).toEqual(['claim', ...kept]);
  await expectUntold(scene, before);
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  expect(stepsOf(await read(id, scene.claimant))).toEqual(['claim', 'decline']);
});

test('a reply is kept unseen, and an undo delivers it', async () => {
  const scene = await claimed();
  const { id, finder, claimant } = scene;
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await take(id, 'decline', finder);
  const told = await newsTypesOf(finder);
  const mine = await take(id, 'reply', claimant, { text: 'Buluu' });
  expect(mine).toMatchObject({ status: 'waiting', messages: [{ from: 'finder' }, { text: 'Buluu' }] });
  expect(await refusal(step(id, 'reply', claimant, { text: 'Tena' }))).toEqual([409, 'wrong_state']);
  const unseen = await read(id, finder);
  expect(unseen).toMatchObject({ status: 'declined', messages: [{ from: 'finder' }] });
  expect(JSON.stringify(unseen)).not.toContain('Buluu');
  expect(await newsTypesOf(finder)).toEqual(told);
  const seen = await take(id, 'undo', finder);
  expect(seen).toMatchObject({ status: 'waiting', messages: [{ from: 'finder' }, { text: 'Buluu' }] });
  expect(await read(id, claimant)).toEqual(mine);
  expect(await newsTypesOf(finder)).toEqual([...told, 'claim_replied']);
});

test('an undo without a reply leads back to the question', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await take(id, 'decline', finder);
  await take(id, 'undo', finder);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['asked', 'asked']);
  expect((await take(id, 'reply', claimant, { text: 'Buluu' })).status).toBe('waiting');
});

test('in effect it is final, before the sweep has been there too', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  expect(await refusal(step(id, 'reply', claimant, { text: 'Buluu' }))).toEqual([409, 'wrong_state']);
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['declined', 'declined']);
  expect((await newClaim(post.id, claimant)).status).toBe('waiting');
});

test('a claim whose decline is due does not keep a second try from being made', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  const second = await newClaim(post.id, claimant);
  expect(await statusesOf(second.id, { finder, claimant })).toEqual(['waiting', 'waiting']);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['declined', 'declined']);
});

test('the sweep tells of it, once, and moves what the claimant reads', async () => {
  const { id, finder, claimant } = await claimed();
  const before = await read(id, claimant);
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  await sweep(env);
  const [news] = await newsOf(claimant);
  expect(await channelOf(claimant).listWaiting([news?.id ?? ''])).toEqual([news?.id]);
  await sweep(env);
  expect(await newsTypesOf(claimant)).toEqual(['claim_declined']);
  const after = await read(id, claimant);
  expect(after.status).toBe('declined');
  expect(after.updated_at > before.updated_at).toBe(true);
});

test('whoever reads it when it has become due makes it told, without the sweep', async () => {
  for (const path of [(id: string) => `/api/claims/${id}`, () => '/api/claims']) {
    const { id, finder, claimant } = await claimed();
    await take(id, 'decline', finder);
    await letDeclinePass(id);
    expect((await call('GET', path(id), undefined, finder)).status).toBe(200);
    const [news] = await newsOf(claimant);
    expect(await channelOf(claimant).listWaiting([news?.id ?? ''])).toEqual([news?.id]);
  }
});

test('from accepted it is at once, without an undo, and the numbers are hidden again', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'accept', finder);
  expect(await take(id, 'decline', finder)).toMatchObject({ status: 'declined', phone_number: null });
  expect(await read(id, claimant)).toMatchObject({ status: 'declined', phone_number: null, handover_code: null });
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'claim_declined']);
});

test('withdrawing ends it, and no decline is told', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'decline', finder);
  await take(id, 'withdraw', claimant);
  await letDeclinePass(id);
  await sweep(env);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['withdrawn', 'withdrawn']);
  expect(stepsOf(await read(id, claimant))).toEqual(['claim', 'withdraw']);
  expect(await newsTypesOf(claimant)).toEqual([]);
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
});

test('another claim accepted, the post returned or deleted makes it final', async () => {
  const ends: ((scene: Scene) => Promise<unknown>)[] = [
    async ({ finder, post }) => take((await newClaim(post.id, await newPerson())).id, 'accept', finder),
    ({ finder, post }) => call('PATCH', `/api/posts/${post.id}/found`, undefined, finder),
    ({ finder, post }) => call('DELETE', `/api/posts/${post.id}`, undefined, finder),
  ];
  for (const end of ends) {
    const scene = await claimed();
    await take(scene.id, 'decline', scene.finder);
    await end(scene);
    expect(await statusesOf(scene.id, scene)).toEqual(['declined', 'declined']);
    expect(await newsTypesOf(scene.claimant)).toEqual(['claim_declined']);
    expect(await refusal(step(scene.id, 'undo', scene.finder))).toEqual([409, 'wrong_state']);
  }
});

test('how long it takes is another value under the local transport alone', async () => {
  const deployed = {
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'x',
    CLAIM_DECLINE_SECONDS: '0',
  };
  const cases: [bindings: object, status: string][] = [
    [deployed, 'waiting'],
    [{ CLAIM_DECLINE_SECONDS: '0' }, 'declined'],
  ];
  for (const [bindings, status] of cases) {
    const [finder, claimant] = [await newPerson(), await newPerson()];
    const { id } = await newClaim((await newPost(finder, FOUND)).id, claimant);
    const headers = { Authorization: `Bearer ${finder.token}` };
    expect((await ask(bindings, `/api/claims/${id}/decline`, {}, headers)).status).toBe(200);
    expect((await read(id, claimant)).status).toBe(status);
  }
});
