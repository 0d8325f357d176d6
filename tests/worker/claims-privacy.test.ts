import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { ReportedPost } from '#contract/moderation.ts';
import { openDb } from '#worker/db/client.ts';
import { PERSONAL_DATA } from '#worker/personal-data.ts';
import { sweep } from '#worker/sweep.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { claimed, FOUND, newClaim, newsTypesOf, read, refusal, step, take } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { connect, settled } from './support/live.ts';
import { readRoutes } from './support/read-routes.ts';
import { askApp } from './support/visibility-world.ts';

afterEach(() => vi.unstubAllGlobals());

const SECRETS = {
  finderNumber: '0655771122',
  claimantNumber: '0777882233',
  marks: 'alamayasirikubwa',
  answer: 'jibulamdaiwetu',
  ask: 'swalilapilihili',
  reply: 'majibuyapilihaya',
};

/** Everything that a person can read, of whatever route, and over the socket. */
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

test('no number, mark or answer in any answer or notice that is not for that person, nor in a log', async () => {
  const logs = captureLogs();
  const [finder, claimant, rival] = [await newPerson(), await newPerson(), await newPerson()];
  const post = await newPost(finder, {
    ...FOUND,
    phone_number: SECRETS.finderNumber,
    private_marks: SECRETS.marks,
    claim_question: 'Kuna nini ndani?',
  });
  // Posts show their numbers to whoever has an account and some left: here is told of claims alone.
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

test('texts and names are without numbers until it is accepted, and whole from then on', async () => {
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
  // What was accepted once stays whole.
  expect(await read(id, finder)).toMatchObject({ other_name: whole.other_name, answer: whole.answer });
});

test('a block closes what is open between the two without a word, and both read it without numbers', async () => {
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

test('blocking a post’s author closes the claims too, declining ones among them', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'decline', finder);
  await call('POST', `/api/posts/${post.id}/block-author`, undefined, claimant);
  expect((await read(id, finder)).status).toBe('closed');
  expect(await newsTypesOf(claimant)).toEqual([]);
});

test('the numbers of what was handed over end with a block', async () => {
  const { id, finder, claimant } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  await step(id, 'block', claimant);
  expect(await read(id, finder)).toMatchObject({ status: 'handed_over', phone_number: null });
});

test('a report shows the claim whole to an admin, hides nothing, and is made once', async () => {
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

test('one who claims a thing is not among those whose reports hide its post', async () => {
  const { claimant, post } = await claimed();
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(claimant.id).run();
  await env.DB.prepare('update users set created_at = 1 where id = ?').bind(claimant.id).run();
  await call('POST', `/api/posts/${post.id}/reports`, { reason: 'scam' }, claimant);
  const row = await env.DB.prepare('select is_counted from post_reports where post_id = ?').bind(post.id).first();
  expect(row).toEqual({ is_counted: 0 });
});

async function erase(person: Person): Promise<void> {
  const [first, ...rest] = PERSONAL_DATA.flatMap(({ eraseFor }) => eraseFor(openDb(env), person.id));
  if (first) await openDb(env).batch([first, ...rest]);
}

test('whoever leaves takes their name, number and words along; the other keeps a closed claim', async () => {
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
