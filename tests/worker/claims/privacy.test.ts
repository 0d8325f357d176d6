import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CLAIM_STATES } from '#contract/claims.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, readRoutes, somePost } from '#tests/worker/support/api.ts';
import {
  claimed,
  FOUND,
  letDeclinePass,
  newClaim,
  newsTypesOf,
  read,
  refusal,
  step,
  take,
} from '#tests/worker/support/claims.ts';
import { communityCodeOf, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { connect, settled } from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { askApp } from '#tests/worker/support/visibility-world.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { eraseRows } from '#worker/leaving/erase-person.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { sweep } from '#worker/sweep.ts';

describe('privacy of claims', () => {
  afterEach(() => vi.unstubAllGlobals());

  const SECRETS = {
    finderNumber: '0655771122',
    claimantNumber: '0777882233',
    marks: 'alamayasirikubwa',
    answer: 'jibulamdaiwetu',
    ask: 'swalilapilihili',
    reply: 'majibuyapilihaya',
  };

  /** Everything that a person can read, on any route and over the socket. */
  async function everythingTo(person: Partial<Person>, scene: { id: string; postId: string }): Promise<string> {
    const paths = [
      ...readRoutes(scene.id),
      ...readRoutes(scene.postId),
      '/api/posts?limit=100',
      '/api/notices?limit=100',
    ];
    const answers = await Promise.all([...new Set(paths)].map((path) => askApp('GET', path, person)));
    const texts = await Promise.all(
      answers.map(async (answer) => (await answer.text()) + JSON.stringify([...answer.headers])),
    );
    if (person.id && person.token) {
      const live = await connect({ id: person.id, token: person.token });
      await settled(live);
      live.socket.close();
      texts.push(JSON.stringify(live.messages));
    }
    return texts.join('\n');
  }

  async function seenBy(person: Partial<Person>, scene: { id: string; postId: string }): Promise<string[]> {
    const text = await everythingTo(person, scene);
    return Object.entries(SECRETS).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
  }

  test('no response, notice or log shows a person a phone number, private mark or answer that is meant for another person', async () => {
    const logs = captureLogs();
    const [finder, claimant, rival] = [await newPerson(), await newPerson(), await newPerson()];
    const post = await newPost(finder, {
      ...FOUND,
      phone_number: SECRETS.finderNumber,
      private_marks: SECRETS.marks,
      claim_question: 'Kuna nini ndani?',
    });
    // Uses up both people's daily limit for seeing phone numbers in posts, because this test is about claims only.
    for (const { id } of [claimant, rival])
      await env.DB.prepare('insert into given_numbers (reader_id, day_ends_at, post_count) values (?, ?, 1000)')
        .bind(id, endOfToday())
        .run();
    const { id } = await newClaim(post.id, claimant, {
      answer: `${SECRETS.answer} ${SECRETS.claimantNumber}`,
      phone_number: SECRETS.claimantNumber,
    });
    await newClaim(post.id, rival);
    const scene = { id, postId: post.id };
    await take(id, 'ask', finder, { text: `${SECRETS.ask} 0655 771 122` });
    await take(id, 'decline', finder);
    await take(id, 'reply', claimant, { text: SECRETS.reply });
    await sweep(env);
    const own = ['finderNumber', 'marks'];
    expect(await seenBy(finder, scene)).toEqual([...own, 'answer', 'ask']);
    expect(await seenBy(claimant, scene)).toEqual(['answer', 'ask', 'reply']);
    for (const person of [rival, {}]) expect(await seenBy(person, scene)).toEqual([]);
    await take(id, 'undo', finder);
    await take(id, 'accept', finder);
    expect(await seenBy(finder, scene)).toEqual(Object.keys(SECRETS));
    expect(await seenBy(claimant, scene)).toEqual(['finderNumber', 'claimantNumber', 'answer', 'ask', 'reply']);
    for (const person of [rival, {}]) expect(await seenBy(person, scene)).toEqual([]);
    const { handover_code: code } = await read(id, claimant);
    expect(await everythingTo(finder, scene)).not.toContain(`"${code}"`);
    await step(id, 'hand-over', finder, { code: '000000' });
    await take(id, 'hand-over', finder, { code });
    const logged = JSON.stringify([logs.log.mock.calls, logs.warn.mock.calls, logs.error.mock.calls]);
    for (const secret of [...Object.values(SECRETS), code, finder.phone]) expect(logged).not.toContain(secret);
  }, 60_000);

  function endOfToday(): number {
    const [DAY_MS, AHEAD_MS] = [24 * 60 * 60 * 1000, 3 * 60 * 60 * 1000];
    return (Math.floor((Date.now() + AHEAD_MS) / DAY_MS) + 1) * DAY_MS - AHEAD_MS;
  }

  test('contact details in a claim’s texts and names are redacted until the claim is accepted, and shown afterwards', async () => {
    const [finder, claimant] = [
      await newPerson({ username: 'Juma 0712345678' }),
      await newPerson({ username: 'asha@example.com' }),
    ];
    const post = await newPost(finder, { ...FOUND, claim_question: 'Nipigie 0712345678', private_marks: '0712345678' });
    const { id } = await newClaim(post.id, claimant, { answer: 'wa.me/255712345678' });
    await take(id, 'ask', finder, { text: 'sifuri saba moja mbili tatu nne tano sita saba nane' });
    await take(id, 'reply', claimant, { text: 'O712 345 67B' });
    expect(await read(id, finder)).toMatchObject({
      other_name: '•••',
      question: 'Nipigie •••',
      answer: '•••',
      private_marks: '0712345678',
      messages: [{ text: '•••' }, { text: '•••' }],
    });
    expect(await read(id, claimant)).toMatchObject({ other_name: 'Juma •••', question: 'Nipigie •••', answer: '•••' });
    await take(id, 'accept', finder);
    const whole = {
      other_name: 'asha@example.com',
      question: 'Nipigie 0712345678',
      answer: 'wa.me/255712345678',
      messages: [{ text: /^sifuri/ }, { text: 'O712 345 67B' }],
    };
    expect((await read(id, finder)).answer).toBe(whole.answer);
    await take(id, 'withdraw', claimant);
    // A claim that was accepted stays unredacted after its withdrawal.
    expect(await read(id, finder)).toMatchObject({ other_name: whole.other_name, answer: whole.answer });
  });

  test('if one party of a claim blocks the other, the claim closes, its phone numbers are hidden, and neither party is notified', async () => {
    for (const side of ['finder', 'claimant'] as const) {
      const scene = await claimed({}, { answer: 'Piga 0712345678' });
      const { id, finder, claimant, post } = scene;
      await take(id, 'accept', finder);
      const before = [await newsTypesOf(finder), await newsTypesOf(claimant)];
      expect((await step(id, 'block', scene[side])).status).toBe(204);
      expect((await step(id, 'block', scene[side])).status).toBe(204);
      for (const person of [finder, claimant])
        expect(await read(id, person)).toMatchObject({ status: 'closed', phone_number: null, answer: 'Piga •••' });
      expect([await newsTypesOf(finder), await newsTypesOf(claimant)]).toEqual(before);
      const blocks = await (await call('GET', '/api/me/blocks', undefined, scene[side])).json<{ name: string }[]>();
      const other = side === 'finder' ? claimant : finder;
      expect(blocks.map(({ name }) => name)).toEqual([other.username.replace(/\d{9,}/, '•••')]);
      expect((await call('GET', `/api/posts/${post.id}`, undefined, claimant)).status).toBe(404);
      expect(await refusal(step(id, 'withdraw', claimant))).toEqual([409, 'wrong_state']);
    }
  });

  test('if a claimant blocks the post’s author, the claim closes, even in the undo period of a decline', async () => {
    const { id, finder, claimant, post } = await claimed();
    await take(id, 'decline', finder);
    await call('POST', `/api/posts/${post.id}/block-author`, undefined, claimant);
    expect((await read(id, finder)).status).toBe('closed');
    expect(await newsTypesOf(claimant)).toEqual([]);
  });

  test('if the claimant blocks the finder after the hand-over, the claim no longer shows the finder a phone number', async () => {
    const { id, finder, claimant } = await claimed();
    await take(id, 'accept', finder);
    await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
    await step(id, 'block', claimant);
    expect(await read(id, finder)).toMatchObject({ status: 'handed_over', phone_number: null });
  });

  test('a report on a claim shows admins the whole claim, does not hide the post, and cannot be repeated by the same person', async () => {
    const { id, finder, claimant, post } = await claimed({}, { answer: 'Piga 0712345678' });
    await take(id, 'ask', finder, { text: 'Tuma pesa 0712345678' });
    const reported = await step(id, 'reports', claimant, { reason: 'scam', text: 'Anataka pesa' });
    expect(reported.status).toBe(201);
    expect(await refusal(step(id, 'reports', claimant, { reason: 'scam' }))).toEqual([409, 'already_reported']);
    expect((await step(id, 'reports', finder, { reason: 'other' })).status).toBe(201);
    await take(id, 'decline', finder);
    const admin = await newPlatformAdmin();
    const list = await (await call('GET', '/api/admin/reports?limit=100', undefined, admin)).json<ReportedPost[]>();
    const found = list.find((entry) => entry.post.id === post.id);
    expect(found?.reports.find(({ text }) => text === 'Anataka pesa')).toMatchObject({
      reason: 'scam',
      reporter_id: claimant.id,
      claim: {
        id,
        claimant_id: claimant.id,
        status: 'declined',
        question: FOUND.claim_question,
        private_marks: FOUND.private_marks,
        answer: 'Piga 0712345678',
        messages: [{ from: 'finder', text: 'Tuma pesa 0712345678', is_about_money: true }],
      },
    });
    expect((await read(id, claimant)).answer).toBe('Piga •••');
    expect((await call('GET', `/api/posts/${post.id}`, undefined, await newPerson())).status).toBe(200);
  });

  test('a report by the claimant does not count towards hiding the post', async () => {
    const { claimant, post } = await claimed();
    await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(claimant.id).run();
    await env.DB.prepare('update users set created_at = 1 where id = ?').bind(claimant.id).run();
    await call('POST', `/api/posts/${post.id}/reports`, { reason: 'scam' }, claimant);
    const row = await env.DB.prepare('select is_counted from post_reports where post_id = ?').bind(post.id).first();
    expect(row).toEqual({ is_counted: 0 });
  });

  async function erase(person: Person): Promise<void> {
    await eraseRows(openDb(env), person.id);
  }

  test('a deleted account’s name, phone number and texts are removed from its claims, and the other party keeps a closed claim', async () => {
    const first = await claimed({}, { answer: SECRETS.answer, phone_number: SECRETS.claimantNumber });
    await take(first.id, 'ask', first.finder, { text: SECRETS.ask });
    await take(first.id, 'reply', first.claimant, { text: SECRETS.reply });
    await take(first.id, 'accept', first.finder);
    await erase(first.claimant);
    const left = await read(first.id, first.finder);
    expect(left).toMatchObject({ status: 'closed', other_name: null, answer: null, phone_number: null });
    expect(left.messages.map(({ text }) => text)).toEqual([SECRETS.ask]);
    const second = await claimed();
    await take(second.id, 'ask', second.finder, { text: SECRETS.ask });
    await erase(second.finder);
    expect(await read(second.id, second.claimant)).toMatchObject({
      status: 'closed',
      post_title: null,
      other_name: null,
      question: null,
      messages: [],
      answer: expect.any(String),
    });
    expect(await newsTypesOf(second.claimant)).toEqual(['claim_asked', 'claim_closed']);
    await erase(second.claimant);
    await erase(first.finder);
    const rows = await env.DB.prepare('select id from claims where id in (?, ?)').bind(first.id, second.id).all();
    expect(rows.results).toEqual([]);
  });
});

const TEXT = { ...somePost, ...FOUND };

function put(post: Post, author: { token: string }, changes: object) {
  return call('PUT', `/api/posts/${post.id}`, { ...TEXT, ...changes }, author);
}

test('a person who may claim a post sees the question for claimants, but neither the phone numbers in the question nor the private marks', async () => {
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

test('an edit of a post does not change an omitted claim_question or private_marks; null or a blank text clears the field', async () => {
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

test('while a claim is open, the post’s question, private marks, side and community cannot be edited, but other fields can', async () => {
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
  // The claim keeps the question and the private marks that the post had when the claim was made.
  expect(await read(id, finder)).toMatchObject({ question: FOUND.claim_question, private_marks: FOUND.private_marks });
});

test('after a finder declines a claim, the post’s private marks cannot be edited until the decline can no longer be undone', async () => {
  const { id, finder, post } = await claimed();
  await take(id, 'decline', finder);
  expect(await refusal(put(post, finder, { private_marks: null }))).toEqual([409, 'sealed']);
  await letDeclinePass(id);
  expect((await put(post, finder, { private_marks: null })).status).toBe(200);
});

test('a post’s private marks cannot be edited while a claim on the post is open, accepted or in the undo period of a decline', async () => {
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

test('a claim on one post does not lock the fields of the finder’s other posts', async () => {
  const { finder } = await claimed();
  const post = await newPost(finder, FOUND);
  expect((await put(post, finder, { private_marks: null, posted_by: 'owner' })).status).toBe(200);
});

test('if the finder edits a post’s private marks during the creation of a claim, post and claim end with equal private marks', async () => {
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

test('a search does not cover a post’s question to claimants or its private marks', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  await newPost(author, { ...FOUND, private_marks: 'kwaheriyakuonana', claim_question: 'sirikubwasana' });
  for (const word of ['kwaheriyakuonana', 'sirikubwasana'])
    for (const person of [author, reader])
      expect(await (await call('GET', `/api/posts?search=${word}`, undefined, person)).json()).toEqual([]);
});
