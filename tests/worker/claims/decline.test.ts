import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { ask, call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
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
} from '#tests/worker/support/claims.ts';
import { channelOf, lostAndFound } from '#tests/worker/support/notices.ts';
import { noticesAbout, sweepIn } from '#tests/worker/support/posts.ts';
import { sweep } from '#worker/sweep.ts';

const stepsOf = ({ history }: Claim) => history.map((entry) => entry.step);

/** Checks that the claimant sees no change while a decline can still be undone, or after it was undone. */
async function expectUntold({ id, claimant }: Scene, before: Claim): Promise<void> {
  expect(await read(id, claimant)).toEqual(before);
}

test('in the undo period of a decline the claimant sees the claim as before, and the finder sees the decline', async () => {
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

test('after an undone decline and a final decline, the claimant sees only the final decline and gets one notice', async () => {
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

test('after many declines and undos a claim’s history lists the newest ten of each, and the claim can be declined again', async () => {
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

test('a claimant’s reply in the undo period of a decline is hidden from the finder until the decline is undone', async () => {
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

test('undoing the decline of a claim with an unanswered question makes the claim wait for the answer again', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await take(id, 'decline', finder);
  await take(id, 'undo', finder);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['asked', 'asked']);
  expect((await take(id, 'reply', claimant, { text: 'Buluu' })).status).toBe('waiting');
});

test('the decline of a claim is final after its undo period, even before the scheduled job runs', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  expect(await refusal(step(id, 'reply', claimant, { text: 'Buluu' }))).toEqual([409, 'wrong_state']);
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['declined', 'declined']);
  expect((await newClaim(post.id, claimant)).status).toBe('waiting');
});

test('after the undo period of a decline the claimant can claim the post a second time, even before the scheduled job runs', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  const second = await newClaim(post.id, claimant);
  expect(await statusesOf(second.id, { finder, claimant })).toEqual(['waiting', 'waiting']);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['declined', 'declined']);
});

test('after the undo period of a decline the scheduled job notifies the claimant once, and the claimant sees the decline', async () => {
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

test('if the finder reads a claim after the undo period of its decline, the claimant is notified before the scheduled job runs', async () => {
  for (const path of [(id: string) => `/api/claims/${id}`, () => '/api/claims']) {
    const { id, finder, claimant } = await claimed();
    await take(id, 'decline', finder);
    await letDeclinePass(id);
    expect((await call('GET', path(id), undefined, finder)).status).toBe(200);
    const [news] = await newsOf(claimant);
    expect(await channelOf(claimant).listWaiting([news?.id ?? ''])).toEqual([news?.id]);
  }
});

test('declining an accepted claim has no undo period, and immediately hides each party’s phone number from the other', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'accept', finder);
  expect(await take(id, 'decline', finder)).toMatchObject({ status: 'declined', phone_number: null });
  expect(await read(id, claimant)).toMatchObject({ status: 'declined', phone_number: null, handover_code: null });
  expect(await refusal(step(id, 'undo', finder))).toEqual([409, 'wrong_state']);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'claim_declined']);
});

test('if a claimant withdraws a claim while its decline can still be undone, the claim ends without a notice of the decline', async () => {
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

test('a decline becomes final when the finder accepts another claim, marks the post as found or deletes the post', async () => {
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

test('CLAIM_DECLINE_SECONDS changes a decline’s undo period only if WHATSAPP_TRANSPORT is “local”', async () => {
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

/**
 * Returns the types of a person's claim notices. Checks that all these notices are in the person's mailbox although the
 * scheduled job has not run.
 */
async function toldAtOnce(person: Person): Promise<string[]> {
  const news = await newsOf(person);
  const ids = news.map(({ id }) => id);
  expect((await channelOf(person).listWaiting(ids)).sort()).toEqual(ids.sort());
  return news.map(({ type }) => type);
}

test('each step in a claim, such as a withdrawal, immediately notifies the other party', async () => {
  const { finder, claimant, post, id } = await claimed();
  expect(await toldAtOnce(finder)).toEqual(['claim_received']);
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  expect(await toldAtOnce(claimant)).toEqual(['claim_asked']);
  await take(id, 'reply', claimant, { text: 'Buluu' });
  expect(await toldAtOnce(finder)).toEqual(['claim_received', 'claim_replied']);
  await take(id, 'accept', finder);
  expect(await toldAtOnce(claimant)).toEqual(['claim_asked', 'claim_accepted']);
  await take(id, 'withdraw', claimant);
  expect(await toldAtOnce(finder)).toEqual(['claim_received', 'claim_replied', 'claim_withdrawn']);
  expect((await newsOf(finder)).at(-1)).toMatchObject({ claim_id: id, post_id: post.id, title: FOUND.title });
  const again = await newClaim(post.id, claimant);
  await take(again.id, 'accept', finder);
  await take(again.id, 'hand-over', finder, { code: (await read(again.id, claimant)).handover_code });
  expect((await toldAtOnce(claimant)).slice(2)).toEqual(['claim_accepted', 'handed_over']);
});

test('the hand-over to one claimant closes all other claims on the post and immediately notifies their claimants', async () => {
  const { finder, claimant, post, id } = await claimed();
  const rival = await newPerson();
  await newClaim(post.id, rival);
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  expect(await toldAtOnce(rival)).toEqual(['claim_closed']);
});

test('after a decline’s undo period, the next request about the claim, even a failed one, notifies the claimant of the decline', async () => {
  const [finder, claimant] = [await newPerson(), await newPerson()];
  const post = await newPost(finder, FOUND);
  const caller = { ...claimant, headers: { 'Idempotency-Key': 'dai' } };
  const { id } = await (await claim(post.id, caller)).json<Claim>();
  await take(id, 'decline', finder);
  await letDeclinePass(id);
  const repeated = await claim(post.id, caller);
  expect([repeated.status, await repeated.json()]).toEqual([201, expect.objectContaining({ id, status: 'declined' })]);
  expect(await toldAtOnce(claimant)).toEqual(['claim_declined']);
  const other = await claimed();
  await take(other.id, 'ask', other.finder, { text: 'Rangi gani?' });
  await take(other.id, 'decline', other.finder);
  await letDeclinePass(other.id);
  expect(await refusal(step(other.id, 'reply', other.claimant, { text: 'Buluu' }))).toEqual([409, 'wrong_state']);
  expect(await toldAtOnce(other.claimant)).toEqual(['claim_asked', 'claim_declined']);
});

test('a decline can still be undone after the finder decides about the claims on another post', async () => {
  const scene = await claimed();
  const { finder, claimant } = scene;
  await take(scene.id, 'ask', finder, { text: 'Rangi gani?' });
  await take(scene.id, 'decline', finder);
  await take(scene.id, 'reply', claimant, { text: 'Buluu' });
  const post = await newPost(finder, FOUND);
  const [winner, rival] = [await newPerson(), await newPerson()];
  const [other, third] = [await newClaim(post.id, winner), await newClaim(post.id, rival)];
  await take(other.id, 'ask', finder, { text: 'Kubwa?' });
  await take(other.id, 'decline', finder);
  await take(other.id, 'reply', winner, { text: 'Ndogo' });
  await take(other.id, 'undo', finder);
  await take(other.id, 'accept', finder);
  expect(await statusesOf(third.id, { finder, claimant: rival })).toEqual(['waiting', 'waiting']);
  await take(other.id, 'hand-over', finder, { code: (await read(other.id, winner)).handover_code });
  expect(await statusesOf(third.id, { finder, claimant: rival })).toEqual(['closed', 'closed']);
  expect(await newsTypesOf(claimant)).toEqual(['claim_asked']);
  expect((await read(scene.id, finder)).messages).toHaveLength(1);
  const kept = (await newsOf(finder)).filter(({ claim_id }) => claim_id === scene.id);
  expect(kept.map(({ type }) => type)).toEqual(['claim_received']);
  expect((await take(scene.id, 'undo', finder)).messages.map(({ text }) => text)).toEqual(['Rangi gani?', 'Buluu']);
});

test('returning, deleting or hiding a post leaves claims on other posts open', async () => {
  const ends: ((finder: Person, postId: string) => Promise<Response>)[] = [
    (finder, postId) => call('PATCH', `/api/posts/${postId}/found`, undefined, finder),
    (finder, postId) => call('DELETE', `/api/posts/${postId}`, undefined, finder),
    async (_finder, postId) => call('POST', `/api/posts/${postId}/block-author`, undefined, await newPerson()),
  ];
  const stays = await claimed();
  const { finder, claimant, id } = stays;
  for (const end of ends) {
    const { id: postId } = await newPost(finder, FOUND);
    expect((await end(finder, postId)).ok).toBe(true);
    expect(await statusesOf(id, stays)).toEqual(['waiting', 'waiting']);
  }
  const rival = await newPerson();
  const theirs = await newClaim(stays.post.id, rival);
  await step(theirs.id, 'block', rival);
  expect(await statusesOf(theirs.id, { finder, claimant: rival })).toEqual(['closed', 'closed']);
  expect(await statusesOf(id, stays)).toEqual(['waiting', 'waiting']);
  expect(await newsTypesOf(claimant)).toEqual([]);
});

test('a hand-over withdraws the unread match notices about the post of the returned thing', async () => {
  const [loser, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  await newPost(loser, lost);
  const post = await newPost(finder, { ...found, claim_question: FOUND.claim_question });
  const [notice] = await noticesAbout(post.id);
  expect(await channelOf(loser).listWaiting([notice?.id ?? ''])).toEqual([notice?.id]);
  const claimant = await newPerson();
  const { id } = await newClaim(post.id, claimant);
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  await sweepIn(1);
  expect(await channelOf(loser).listWaiting([notice?.id ?? ''])).toEqual([]);
});

test('a claimant sees a post’s title with the number masked if the kind is “document”, and unchanged if the kind is “bag”', async () => {
  const title = 'Kitambulisho 19900101 1234 5678';
  for (const [kind, shown] of [
    ['document', 'Kitambulisho •••5678'],
    ['bag', title],
  ] as const) {
    const { id, finder, claimant } = await claimed({ title, kind });
    expect([(await read(id, finder)).post_title, (await read(id, claimant)).post_title]).toEqual([title, shown]);
  }
});
