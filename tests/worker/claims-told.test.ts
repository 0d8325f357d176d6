import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
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
  statusesOf,
  step,
  take,
} from './support/claims.ts';
import { channelOf, lostAndFound } from './support/live.ts';
import { noticesAbout, sweepIn } from './support/saved-posts.ts';

/** What a person was told of claims, which is in their mailbox with the answer, before any sweep. */
async function toldAtOnce(person: Person): Promise<string[]> {
  const news = await newsOf(person);
  const ids = news.map(({ id }) => id);
  expect((await channelOf(person).listWaiting(ids)).sort()).toEqual(ids.sort());
  return news.map(({ type }) => type);
}

test('whoever is told of a step is told at once, and of a withdrawal the finder', async () => {
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

test('who loses by another’s hand-over is told at once', async () => {
  const { finder, claimant, post, id } = await claimed();
  const rival = await newPerson();
  await newClaim(post.id, rival);
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  expect(await toldAtOnce(rival)).toEqual(['claim_closed']);
});

test('a due decline is told by whatever comes next: a step that is refused, or the claim made once more under its key', async () => {
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

test('what is decided of one thing leaves what was said of another to be undone', async () => {
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

test('a thing that is returned, deleted or out of somebody’s reach leaves the claims on other things open', async () => {
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

test('what is handed over is looked for no more: the unread notices of the thing are withdrawn', async () => {
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

test('of a document the claimant reads the title without its numbers, and of other things as the finder does', async () => {
  const title = 'Kitambulisho 19900101 1234 5678';
  for (const [kind, shown] of [
    ['document', 'Kitambulisho •••5678'],
    ['bag', title],
  ] as const) {
    const { id, finder, claimant } = await claimed({ title, kind });
    expect([(await read(id, finder)).post_title, (await read(id, claimant)).post_title]).toEqual([title, shown]);
  }
});
