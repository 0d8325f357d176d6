import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { CLAIM_STATES } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { claimed, FOUND, letDeclinePass, newClaim, read, refusal, take } from './support/claims.ts';
import { communityCodeOf, newApprovedCommunity } from './support/communities.ts';

const TEXT = { ...somePost, ...FOUND };

function put(post: Post, author: { token: string }, changes: object) {
  return call('PUT', `/api/posts/${post.id}`, { ...TEXT, ...changes }, author);
}

test('the question is for its author, and without numbers for whoever may claim; the marks are the author’s alone', async () => {
  const author = await newPerson();
  const question = 'Kuna nini ndani? Piga 0712345678';
  const post = await newPost(author, { ...FOUND, claim_question: question });
  expect(post).toMatchObject({ claim_question: question, private_marks: FOUND.private_marks });
  const open = async (viewer: object) => (await call('GET', `/api/posts/${post.id}`, undefined, viewer)).json<Post>();
  const seen = await open(await newPerson());
  expect(seen.claim_question).toBe('Kuna nini ndani? Piga •••');
  expect(seen).not.toHaveProperty('private_marks');
  expect(await open({})).toMatchObject({ claim_question: null });
  expect(await open(author)).toMatchObject({ claim_question: question, private_marks: FOUND.private_marks });
  await call('PATCH', `/api/posts/${post.id}/found`, undefined, author);
  expect((await open(await newPerson())).claim_question).toBeNull();
  const lost = await newPost(author, { ...FOUND, posted_by: 'owner' });
  const ofLost = await call('GET', `/api/posts/${lost.id}`, undefined, await newPerson());
  expect(await ofLost.json()).toMatchObject({ claim_question: null });
});

test('left out they stay, null and blank clear them', async () => {
  const author = await newPerson();
  const post = await newPost(author, FOUND);
  const kept = await put(post, author, { claim_question: undefined, private_marks: undefined, title: 'Begi' });
  expect(await kept.json()).toMatchObject({
    claim_question: FOUND.claim_question,
    private_marks: FOUND.private_marks,
    title: 'Begi',
  });
  const cleared = await put(post, author, { claim_question: null, private_marks: '  ' });
  expect(await cleared.json()).toMatchObject({ claim_question: null, private_marks: null });
  for (const [field, max] of [
    ['claim_question', 200],
    ['private_marks', 500],
  ] as const) {
    expect((await put(post, author, { [field]: 'a'.repeat(max) })).status).toBe(200);
    expect((await put(post, author, { [field]: 'a'.repeat(max + 1) })).status).toBe(422);
  }
});

test('with a claim open they are fixed, as are who posts it and where; the rest may change', async () => {
  const { community, creator: finder } = await newApprovedCommunity();
  const code = await communityCodeOf(community.id, finder);
  const claimant = await newPerson();
  const post = await newPost(finder, FOUND);
  const { id } = await newClaim(post.id, claimant);
  const changes = [
    { claim_question: 'Jingine?' },
    { claim_question: null },
    { private_marks: 'Jingine' },
    { private_marks: null },
    { posted_by: 'owner' },
    { community_code: code },
  ];
  for (const change of changes) expect(await refusal(put(post, finder, change))).toEqual([409, 'sealed']);
  const changed = await put(post, finder, { title: 'Begi jipya', phone_number: '0655999888' });
  expect(await changed.json()).toMatchObject({ title: 'Begi jipya', claim_question: FOUND.claim_question });
  await take(id, 'accept', finder);
  expect((await read(id, claimant)).phone_number).toBe('0655999888');
  expect(await refusal(put(post, finder, { private_marks: null }))).toEqual([409, 'sealed']);
  await take(id, 'withdraw', claimant);
  for (const change of changes) expect((await put(post, finder, change)).status).toBe(200);
  // A claim stays as it was sealed.
  expect(await read(id, finder)).toMatchObject({ question: FOUND.claim_question, private_marks: FOUND.private_marks });
});

test('a decline seals until it is in effect, and no longer', async () => {
  const { id, finder, post } = await claimed();
  await take(id, 'decline', finder);
  expect(await refusal(put(post, finder, { private_marks: null }))).toEqual([409, 'sealed']);
  await letDeclinePass(id);
  expect((await put(post, finder, { private_marks: null })).status).toBe(200);
});

test('every claim that is not settled fixes them, and what is refused counts for no limit', async () => {
  const { id, finder, post } = await claimed();
  const update = allowanceOf(readConfig(env), 'post_update', finder.id).key;
  const count = () => env.DB.prepare('select count from rate_counters where subject = ?').bind(update).first('count');
  const fixing: string[] = [];
  for (const state of CLAIM_STATES) {
    const dueAt = state.startsWith('declining') ? Date.now() + 600_000 : null;
    await env.DB.prepare('update claims set state = ?, decline_due_at = ? where id = ?').bind(state, dueAt, id).run();
    const { status } = await put(post, finder, { private_marks: `Alama ${state}` });
    if (status === 409) fixing.push(state);
  }
  expect(fixing.sort()).toEqual(['accepted', 'asked', 'declining', 'declining_asked', 'waiting']);
  expect(await count()).toBe(CLAIM_STATES.length - fixing.length);
});

test('a claim on another post of theirs fixes nothing', async () => {
  const { finder } = await claimed();
  const post = await newPost(finder, FOUND);
  expect((await put(post, finder, { private_marks: null, posted_by: 'owner' })).status).toBe(200);
});

test('a claim and a change at once: the claim has what the post had, or what it has', async () => {
  const [finder, claimant] = [await newPerson(), await newPerson()];
  const post = await newPost(finder, FOUND);
  const [made, changed] = await Promise.all([
    newClaim(post.id, claimant),
    put(post, finder, { private_marks: 'Alama mpya' }),
  ]);
  expect([200, 409]).toContain(changed.status);
  const after = await (await call('GET', `/api/posts/${post.id}`, undefined, finder)).json<Post>();
  expect((await read(made.id, finder)).private_marks).toBe(after.private_marks);
});

test('what is said in private is no part of any search', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  await newPost(author, { ...FOUND, private_marks: 'kwaheriyakuonana', claim_question: 'sirikubwasana' });
  for (const word of ['kwaheriyakuonana', 'sirikubwasana'])
    for (const person of [author, reader])
      expect(await (await call('GET', `/api/posts?search=${word}`, undefined, person)).json()).toEqual([]);
});
