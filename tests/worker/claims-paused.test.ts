import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { call, type Person } from './support/api.ts';
import { claim, claimed, newsTypesOf, read, refusal, type Scene, step, take, wrongCode } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { decide, reportThrice, statusFor } from './support/moderation.ts';

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

test('the finder of a hidden post can neither ask, accept nor hand over, and both go on with the rest', async () => {
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

test('a step that the claim does not allow anyway stays wrong_state on a hidden post', async () => {
  const { finder, claimant, post, id, admin } = await accepted();
  await decide('hide', post.id, admin);
  expect(await refusal(step(id, 'accept', finder))).toEqual([409, 'wrong_state']);
  expect(await refusal(step(id, 'accept', claimant))).toEqual([409, 'wrong_state']);
});

test('the numbers and the code of an accepted claim are null while the post is hidden, and come back', async () => {
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

test('a code for a hidden post is refused without being counted as an attempt', async () => {
  const { finder, post, id, code, admin } = await accepted();
  await decide('hide', post.id, admin);
  for (let attempt = 0; attempt < 6; attempt++)
    expect(await refusal(step(id, 'hand-over', finder, { code: wrongCode(code) }))).toEqual(HIDDEN);
  expect(await refusal(step(id, 'hand-over', finder, { code }))).toEqual(HIDDEN);
  await decide('restore', post.id, admin);
  expect(await refusal(step(id, 'hand-over', finder, { code: wrongCode(code) }))).toEqual([400, 'invalid_code']);
  expect((await take(id, 'hand-over', finder, { code })).status).toBe('handed_over');
});

test('after a hand-over the numbers are null while the post is hidden, and stay null when its author deletes it', async () => {
  const { finder, claimant, post, id, code, admin } = await accepted();
  await take(id, 'hand-over', finder, { code });
  expect((await read(id, finder)).phone_number).not.toBeNull();
  await decide('hide', post.id, admin);
  for (const person of [finder, claimant])
    expect(await read(id, person)).toMatchObject({ status: 'handed_over', is_paused: true, phone_number: null });
  expect((await call('DELETE', `/api/posts/${post.id}`, undefined, finder)).status).toBe(204);
  expect((await read(id, finder)).phone_number).toBeNull();
});

test('the claimant is notified once a hiding, however many hide the post, and again of the next hiding', async () => {
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

test('a claim that has ended is not paused, and its claimant is not notified', async () => {
  const [{ claimant, post, id }, admin] = [await claimed(), await newPlatformAdmin()];
  await take(id, 'withdraw', claimant);
  await decide('hide', post.id, admin);
  expect((await read(id, claimant)).is_paused).toBe(false);
  expect(await newsTypesOf(claimant)).toEqual([]);
});

test('the suspension of a post’s author pauses its claims, also on a returned post and on a restored one', async () => {
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

test('of a hiding and an acceptance at once, the acceptance is refused or the claimant learns no number', async () => {
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
