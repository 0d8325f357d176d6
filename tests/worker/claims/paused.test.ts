import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { call, type Person } from '#tests/worker/support/api.ts';
import {
  claim,
  claimed,
  newsTypesOf,
  read,
  refusal,
  type Scene,
  step,
  take,
  wrongCode,
} from '#tests/worker/support/claims.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { decide, reportThrice, statusFor } from '#tests/worker/support/moderation.ts';
import { endOfDay } from '#worker/limits/limits.ts';

const HIDDEN = [409, 'post_hidden'];

async function accepted(): Promise<Scene & { code: string; admin: Person }> {
  const scene = await claimed();
  await take(scene.id, 'accept', scene.finder);
  const { handover_code } = await read(scene.id, scene.claimant);
  return { ...scene, code: handover_code ?? '', admin: await newPlatformAdmin() };
}

async function suspend(person: Person, admin: Person): Promise<void> {
  await call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Utapeli' }, admin);
}

test('in a claim on a hidden post the finder cannot ask, accept or hand over, and every other step works', async () => {
  const [{ finder, claimant, post, id }, admin] = [await claimed(), await newPlatformAdmin()];
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await decide('hide', post.id, admin);
  expect(await refusal(step(id, 'accept', finder))).toEqual(HIDDEN);
  expect((await take(id, 'reply', claimant, { text: 'Buluu' })).status).toBe('waiting');
  expect(await refusal(step(id, 'ask', finder, { text: 'Na ndani?' }))).toEqual(HIDDEN);
  expect(await refusal(step(id, 'accept', finder))).toEqual(HIDDEN);
  expect((await read(id, finder)).messages).toHaveLength(2);
  expect((await call('POST', `/api/claims/${id}/reports`, { reason: 'scam' }, claimant)).status).toBe(201);
  expect((await take(id, 'decline', finder)).status).toBe('declined');
  expect((await take(id, 'undo', finder)).status).toBe('waiting');
  expect((await take(id, 'withdraw', claimant)).status).toBe('withdrawn');
  expect((await call('POST', `/api/claims/${id}/block`, undefined, claimant)).status).toBe(204);
});

test('a step that a claim’s state does not allow gives wrong_state, even if the post is hidden', async () => {
  const { finder, claimant, post, id, admin } = await accepted();
  await decide('hide', post.id, admin);
  expect(await refusal(step(id, 'accept', finder))).toEqual([409, 'wrong_state']);
  expect(await refusal(step(id, 'accept', claimant))).toEqual([409, 'wrong_state']);
});

test('while a post is hidden, the phone numbers and the hand-over code of its accepted claim are null', async () => {
  const { finder, claimant, post, id, code, admin } = await accepted();
  const before = [await read(id, finder), await read(id, claimant)];
  expect(before).toMatchObject([{ is_paused: false, phone_number: expect.any(String) }, { handover_code: code }]);
  await decide('hide', post.id, admin);
  for (const person of [finder, claimant])
    expect(await read(id, person)).toMatchObject({ is_paused: true, phone_number: null, handover_code: null });
  const listed = await (await call('GET', '/api/claims', undefined, finder)).json();
  expect(listed).toMatchObject([{ id, is_paused: true, phone_number: null }]);
  await decide('restore', post.id, admin);
  expect([await read(id, finder), await read(id, claimant)]).toEqual(before);
  expect((await take(id, 'hand-over', finder, { code })).status).toBe('handed_over');
});

test('a hand-over code for a hidden post is refused without being counted as an attempt', async () => {
  const { finder, post, id, code, admin } = await accepted();
  await decide('hide', post.id, admin);
  for (let attempt = 0; attempt < 6; attempt++)
    expect(await refusal(step(id, 'hand-over', finder, { code: wrongCode(code) }))).toEqual(HIDDEN);
  expect(await refusal(step(id, 'hand-over', finder, { code }))).toEqual(HIDDEN);
  await decide('restore', post.id, admin);
  expect(await refusal(step(id, 'hand-over', finder, { code: wrongCode(code) }))).toEqual([400, 'invalid_code']);
  expect((await take(id, 'hand-over', finder, { code })).status).toBe('handed_over');
});

test('after a hand-over a claim’s phone numbers are null while the post is hidden, and after the post is deleted', async () => {
  const { finder, claimant, post, id, code, admin } = await accepted();
  await take(id, 'hand-over', finder, { code });
  expect((await read(id, finder)).phone_number).not.toBeNull();
  await decide('hide', post.id, admin);
  for (const person of [finder, claimant])
    expect(await read(id, person)).toMatchObject({ status: 'handed_over', is_paused: true, phone_number: null });
  expect((await call('DELETE', `/api/posts/${post.id}`, undefined, finder)).status).toBe(204);
  expect((await read(id, finder)).phone_number).toBeNull();
});

test('the claimant gets one notice if a post is hidden for several reasons, and another if the restored post is hidden again', async () => {
  const { finder, claimant, post, admin } = await accepted();
  await reportThrice(post.id);
  await decide('hide', post.id, admin);
  await suspend(finder, admin);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'claim_paused']);
  await call('POST', `/api/admin/users/${finder.id}/reinstate`, undefined, admin);
  await decide('restore', post.id, admin);
  await decide('hide', post.id, admin);
  expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'claim_paused', 'claim_paused']);
  expect(await newsTypesOf(finder)).toEqual(['claim_received']);
});

const ENDINGS: Record<string, (scene: Scene) => Promise<unknown>> = {
  withdrawn: ({ id, claimant }) => take(id, 'withdraw', claimant),
  declined: async ({ id, finder }) => {
    await take(id, 'accept', finder);
    await take(id, 'decline', finder);
  },
  closed: ({ id, claimant }) => call('POST', `/api/claims/${id}/block`, undefined, claimant),
};

test.each(Object.entries(ENDINGS))(
  'a claim that is %s is not paused by hiding the post, and its claimant is not notified',
  async (status, end) => {
    const [scene, admin] = [await claimed(), await newPlatformAdmin()];
    await end(scene);
    const before = await newsTypesOf(scene.claimant);
    await decide('hide', scene.post.id, admin);
    expect(await read(scene.id, scene.claimant)).toMatchObject({ status, is_paused: false });
    expect(await newsTypesOf(scene.claimant)).toEqual(before);
  },
);

test('while an author is suspended, claims on the author’s posts are paused, even if an admin restores the posts', async () => {
  const [handedOver, open] = [await accepted(), await accepted()];
  await take(handedOver.id, 'hand-over', handedOver.finder, { code: handedOver.code });
  for (const { id, finder, claimant, post, admin } of [handedOver, open]) {
    await suspend(finder, admin);
    for (const person of [finder, claimant])
      expect(await read(id, person)).toMatchObject({ is_paused: true, phone_number: null, handover_code: null });
    await decide('restore', post.id, admin);
    expect(await read(id, claimant)).toMatchObject({ is_paused: true, phone_number: null });
    await call('POST', `/api/admin/users/${finder.id}/reinstate`, undefined, admin);
    expect(await read(id, claimant)).toMatchObject({ is_paused: false, phone_number: expect.any(String) });
  }
  expect(await newsTypesOf(handedOver.claimant)).toEqual(['claim_accepted', 'handed_over']);
  expect(await newsTypesOf(open.claimant)).toEqual(['claim_accepted', 'claim_paused']);
});

test('if a post is hidden and a claim on it is accepted concurrently, nobody sees a phone number in the claim', async () => {
  for (let round = 0; round < 5; round++) {
    const [{ finder, claimant, post, id }, admin] = [await claimed(), await newPlatformAdmin()];
    const [taken] = await Promise.all([step(id, 'accept', finder), decide('hide', post.id, admin)]);
    expect(await statusFor(post.id, claimant)).toBe(404);
    expect(await read(id, claimant)).toMatchObject({ is_paused: true, phone_number: null, handover_code: null });
    expect((await read(id, finder)).phone_number).toBeNull();
    const types = await newsTypesOf(claimant);
    expect(types.filter((type) => type === 'claim_paused')).toHaveLength(1);
    expect(types.includes('claim_accepted')).toBe(taken.status === 200);
  }
});

test('nobody can claim a hidden post', async () => {
  const { finder, post, admin } = await accepted();
  await decide('hide', post.id, admin);
  expect((await claim(post.id, await newPlatformAdmin())).status).toBe(409);
  await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(finder.id).run();
  expect(await refusal(claim(post.id, { token: admin.token }))).toEqual([409, 'not_claimable']);
});

/** Uses up the person's daily allowance of visible phone numbers. */
async function useUp({ id }: Person): Promise<void> {
  await env.DB.prepare(
    `insert into given_numbers (reader_id, day_ends_at, post_count) values (?1, ?2, 1000)
     on conflict (reader_id, day_ends_at) do update set post_count = 1000`,
  )
    .bind(id, endOfDay(Date.now()))
    .run();
}

async function givenTo({ id }: Person) {
  const row = await env.DB.prepare('select post_seqs, post_count from given_numbers where reader_id = ?')
    .bind(id)
    .first();
  return row ?? { post_seqs: ',', post_count: 0 };
}

async function numberOf(post: Post, person: Person): Promise<string | null> {
  return (await (await call('GET', `/api/posts/${post.id}`, undefined, person)).json<Post>()).phone_number;
}

test('the finder’s phone number on an accepted claim does not count towards the claimant’s daily limit of visible phone numbers', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'accept', finder);
  await read(id, claimant);
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
  expect(await givenTo(claimant)).toEqual({ post_seqs: ',', post_count: 0 });
  await useUp(claimant);
  expect((await read(id, claimant)).phone_number).toBe(post.phone_number);
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
});

test('if an accepted claim is withdrawn, the finder’s number counts once towards the phone numbers that the claimant can see in a day', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'withdraw', claimant);
  const { seq } = (await env.DB.prepare('select seq from posts where id = ?')
    .bind(post.id)
    .first<{ seq: number }>()) ?? {
    seq: 0,
  };
  expect(await givenTo(claimant)).toEqual({ post_seqs: `,${seq},`, post_count: 1 });
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
  expect(await givenTo(claimant)).toEqual({ post_seqs: `,${seq},`, post_count: 1 });
  const second = await claimed();
  await take(second.id, 'accept', second.finder);
  await useUp(second.claimant);
  await take(second.id, 'withdraw', second.claimant);
  expect(await givenTo(second.claimant)).toMatchObject({ post_count: 1001 });
});

test('a claim withdrawn before its acceptance does not use up the claimant’s daily allowance of visible phone numbers', async () => {
  const { id, claimant } = await claimed();
  await take(id, 'withdraw', claimant);
  expect(await givenTo(claimant)).toEqual({ post_seqs: ',', post_count: 0 });
});
