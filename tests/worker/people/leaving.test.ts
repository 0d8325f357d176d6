import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Device, Export, Session } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { PushService } from '#tests/support/push-service.ts';
import { call, newPerson, newPost, type Person, signIn } from '#tests/worker/support/api.ts';
import { FOUND, newClaim, read } from '#tests/worker/support/claims.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { PUSH_ORIGIN, put, subscriptionsOf } from '#tests/worker/support/messages.ts';
import { decide, report, statusFor } from '#tests/worker/support/moderation.ts';
import { connect, settled } from '#tests/worker/support/notices.ts';
import { everyRow, isKnown, leave, newLeaver, WRONG } from '#tests/worker/support/people.ts';
import { judge, saveMatched, savePost } from '#tests/worker/support/posts.ts';
import { toProof } from '#worker/accounts/prove-by-message.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { finishErasing } from '#worker/leaving/erase-account.ts';
import { sweep } from '#worker/sweep.ts';

async function newSuspended(): Promise<Person> {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const answer = await call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Utapeli' }, admin);
  expect(answer.status).toBe(204);
  return person;
}

/** Registers with another person's e-mail or phone number, and otherwise new data. */
async function signUp(own: { email?: string; whatsapp_number?: string }): Promise<[number, string | undefined]> {
  const number = `+2556${crypto.getRandomValues(new Uint32Array(1)).join('').padStart(10, '0').slice(-8)}`;
  const fresh = { username: 'Mpya', email: `${crypto.randomUUID()}@example.com`, whatsapp_number: number };
  const answer = await call('POST', '/api/users', { ...fresh, password: 'matumaini ya kesho', ...own });
  return [answer.status, answer.ok ? undefined : (await answer.json<ErrorBody>()).code];
}

test('a reported person who deletes their account is signed out and their post is hidden; the account is erased thirty days later', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const post = await newPost(person, { title: 'Kitambulisho cha anayesubiri' });
  await report(post.id, other);
  expect((await leave(person)).status).toBe(204);
  expect((await call('GET', '/api/me', undefined, person)).status).toBe(401);
  expect((await signIn(person.email, person.password)).status).toBe(401);
  expect([await statusFor(post.id, other), await statusFor(post.id, {})]).toEqual([404, 404]);
  // An admin can still decide the case, but even the decision to restore the post does not make the post visible again.
  const admin = await newPlatformAdmin();
  expect(await statusFor(post.id, admin)).toBe(200);
  await decide('restore', post.id, admin);
  expect(await statusFor(post.id, other)).toBe(404);
  await sweep(env, Date.now() + 29 * DAY_MS);
  expect(await isKnown(person)).toBe(true);
  await sweep(env, Date.now() + 31 * DAY_MS);
  const rows = await everyRow();
  for (const trace of [person.id, person.email, person.phone, 'anayesubiri']) expect(rows).not.toContain(trace);
  expect((await signUp({ email: person.email, whatsapp_number: person.phone }))[0]).toBe(201);
});

test('a report that a moderator has decided does not delay the erasure of the reported person’s account', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const post = await newPost(person);
  await report(post.id, await newPerson());
  await decide('restore', post.id, admin);
  await leave(person);
  expect(await isKnown(person)).toBe(false);
});

test('while a closed account waits for its erasure, nobody can register its e-mail or phone number', async () => {
  const person = await newSuspended();
  await leave(person);
  expect(await signUp({ email: person.email })).toEqual([409, 'email_taken']);
  expect(await signUp({ whatsapp_number: person.phone })).toEqual([409, 'phone_taken']);
  const taker = await newPerson();
  await env.DB.prepare(
    `insert into number_proofs (id, secret_digest, number, text_digest, status, created_at, proven_at)
     values (?1, '', ?2, ?1, 'proven', ?3, ?3)`,
  )
    .bind(`proof-${taker.id}`, person.phone, Date.now())
    .run();
  const number_proof = toProof(readConfig(env).keys.code, `proof-${taker.id}`);
  const body = { number_proof, current_password: taker.password };
  const answer = await call('POST', '/api/me/whatsapp-number/confirm', body, taker);
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([409, 'phone_taken']);
});

test('for twelve months nobody can register the e-mail or phone number of a suspended account that was erased', async () => {
  const [person, taker] = [await newSuspended(), await newPerson()];
  await leave(person);
  await sweep(env, Date.now() + 31 * DAY_MS);
  expect(await isKnown(person)).toBe(false);
  expect(await everyRow()).not.toContain(person.phone);
  expect(await signUp({ email: person.email.toUpperCase() })).toEqual([403, 'suspended']);
  expect(await signUp({ whatsapp_number: person.phone })).toEqual([403, 'suspended']);
  const number = { whatsapp_number: person.phone };
  for (const path of ['/api/auth/prove-number', '/api/auth/number-proofs'])
    expect([path, (await call('POST', path, number)).status]).toEqual([path, 403]);
  const change = { ...number, current_password: taker.password };
  expect((await call('POST', '/api/me/whatsapp-number', change, taker)).status).toBe(403);
  const email = { email: person.email, current_password: taker.password };
  expect((await call('POST', '/api/me/email', email, taker)).status).toBe(403);
  const { results } = await env.DB.prepare('select ends_at from barred_keys').all<{ ends_at: number }>();
  for (const { ends_at } of results) expect(Math.round((ends_at - Date.now()) / DAY_MS)).toBeOneOf([396, 397]);
  expect(results).not.toEqual([]);
  await env.DB.prepare('update barred_keys set ends_at = ?').bind(Date.now()).run();
  await sweep(env);
  expect(await env.DB.prepare('select count(*) as n from barred_keys').first('n')).toBe(0);
  expect((await signUp({ email: person.email, whatsapp_number: person.phone }))[0]).toBe(201);
});

test('a closed account gets no reset code for its password', async () => {
  const person = await newSuspended();
  await leave(person);
  await call('POST', '/api/auth/request-password-reset', { whatsapp_number: person.phone });
  const codes = await env.DB.prepare('select count(*) as n from reset_codes where user_id = ?')
    .bind(person.id)
    .first('n');
  expect(codes).toBe(0);
});

/** Signs the person in on a device with a push subscription. */
async function onDevice(person: Person): Promise<Person> {
  const { access_token: token } = await (await signIn(person.email, person.password)).json<Session>();
  await put(new PushService(PUSH_ORIGIN).subscribe(), { token });
  return { ...person, token };
}

async function devicesOf({ id }: Person): Promise<number | null> {
  const devices = env.DB.prepare('select count(*) as n from devices where user_id = ? and ended_at is null').bind(id);
  return devices.first<number>('n');
}

test('while a closed account waits for its erasure, all of its data is hidden, and other people’s data stays visible', async () => {
  const { leaver, other, platformAdmin, pair, community } = await newLeaver();
  const [gone, stays] = [await onDevice(leaver), await onDevice(other)];
  const bystanders = await newClaim((await newPost(await newPerson(), FOUND)).id, stays);
  const claim = await newClaim((await newPost(gone, FOUND)).id, stays);
  await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(leaver.id).run();
  const [theirs, admins] = [await connect(stays), await connect(platformAdmin)];
  await settled(theirs);
  const match = theirs.messages.find((message) => message.type === 'matching_post' && message.post_id === pair.mine);
  expect(match).toBeDefined();
  const before = Date.now();
  expect((await leave(gone)).status).toBe(204);
  const erasure = await env.DB.prepare('select erase_at, due_at, failures from erasures where user_id = ?')
    .bind(leaver.id)
    .first<{ erase_at: number; due_at: number; failures: number }>();
  expect(erasure).toEqual({ erase_at: expect.any(Number), due_at: erasure?.erase_at, failures: 0 });
  expect(Math.abs((erasure?.erase_at ?? 0) - before - 30 * DAY_MS)).toBeLessThan(60_000);
  expect([await devicesOf(gone), await subscriptionsOf(gone)]).toEqual([0, []]);
  // People with an open live connection receive the changes at once.
  await Promise.all([settled(theirs), settled(admins)]);
  expect(theirs.messages).toContainEqual(expect.objectContaining({ type: 'claim_closed', claim_id: claim.id }));
  expect(theirs.ended).toContain(match?.id);
  expect(admins.messages).toContainEqual(
    expect.objectContaining({ type: 'community_without_admin', community_id: community.id }),
  );
  expect((await read(claim.id, stays)).status).toBe('closed');
  expect((await read(bystanders.id, stays)).status).toBe(bystanders.status);
  const devices = await (await call('GET', '/api/me/devices', undefined, stays)).json<Device[]>();
  expect(devices.map(({ is_this }) => is_this)).toEqual([true]);
  expect(await subscriptionsOf(stays)).toHaveLength(1);
});

test('one run of the scheduled job erases at most twenty closed accounts, first those whose erasure has been due longest', async () => {
  await env.DB.exec(
    `with recursive series (n) as (select 1 union all select n + 1 from series limit 21)
     insert into erasures (user_id, erase_at, due_at) select 'mtu ' || n, 0, 100 - n from series`.replaceAll('\n', ' '),
  );
  await finishErasing(env, openDb(env), 100);
  const { results } = await env.DB.prepare("select user_id from erasures where user_id like 'mtu %'").all();
  expect(results).toEqual([{ user_id: 'mtu 1' }]);
});

const exportOf = (person: Person, password = person.password) =>
  call('POST', '/api/me/export', { current_password: password }, person);

test('a person’s data export contains all data about the person, and only such data about others as the person has seen', async () => {
  const { word, leaver, other, post, theirs, community, pair } = await newLeaver();
  await call('POST', `/api/matches/${await pairIdOf(pair.mine)}/confirm`, undefined, leaver);
  await call('GET', `/api/posts/${theirs.id}`, undefined, leaver);
  const answer = await exportOf(leaver);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Disposition')).toMatch(/^attachment; filename="patikana-\d{4}-\d\d-\d\d\.json"$/);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const all = await answer.json<Export>();
  expect(all).toMatchObject({
    me: { id: leaver.id, email: leaver.email, whatsapp_number: leaver.phone, created_at: expect.stringContaining('T') },
    devices: [{ name: 'Firefox, Android' }],
    photos: [],
    claims: [],
    communities: [expect.objectContaining({ name: community.name, member_role: 'admin' }), expect.anything()],
    notices: [expect.objectContaining({ type: 'community_approved' })],
    reports: [expect.objectContaining({ text: 'Maneno ya ripoti' })],
    blocks: [expect.anything()],
    settings: { push: true, email: true },
    push: [],
    feedback: [expect.objectContaining({ message: `Asante, ${word}` })],
    match_answers: [expect.objectContaining({ answer: 'confirmed' })],
  });
  expect(all.posts.map(({ id }) => id)).toEqual([post.id, pair.mine]);
  const text = JSON.stringify(all);
  for (const foreign of [other.id, other.email, other.phone, other.username, 'anayebaki'])
    expect([foreign, text.includes(foreign)]).toEqual([foreign, false]);
  expect(text).not.toMatch(/scrypt|password_hash|access_code|token_version|digest|"code"/);
  expect(text).not.toContain(community.access_code);
});

async function pairIdOf(postId: string): Promise<string> {
  const pair = env.DB.prepare('select id from match_pairs where lost_post_id = ?').bind(postId);
  return (await pair.first<string>('id')) ?? '';
}

test('a match notice in a data export has the other post’s id and title, unless that post is hidden', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const mine = await saveMatched(owner, 'owner');
  const theirs = await savePost(finder, {
    posted_by: 'finder',
    title: 'Kitambulisho 19900101123456',
    location: 'Mwenge',
  });
  await judge(theirs, { [mine]: 'sure' });
  const ofMatch = async () => {
    const { notices } = await (await exportOf(owner)).json<Export>();
    return notices.map(({ type, post_id, title, your_post_id }) => ({ type, post_id, title, your_post_id }));
  };
  expect(await ofMatch()).toEqual([
    { type: 'matching_post', post_id: theirs, title: 'Kitambulisho •••3456', your_post_id: mine },
  ]);
  const text = await (await exportOf(owner)).text();
  for (const notShown of ['19900101123456', 'Mwenge', finder.id, finder.username])
    expect([notShown, text.includes(notShown)]).toEqual([notShown, false]);
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(theirs).run();
  expect(await ofMatch()).toEqual([{ type: 'matching_post', post_id: null, title: null, your_post_id: mine }]);
});

test('a person can export their data at most three times a day, and each export requires the password', async () => {
  const person = await newPerson();
  await newPost(person);
  expect((await exportOf(person, WRONG)).status).toBe(403);
  for (let time = 0; time < 3; time++) expect((await exportOf(person)).status).toBe(200);
  const refused = await exportOf(person);
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 3_600]).toEqual([429, true]);
});

test('a suspended person can export their data, including the reason for the suspension', async () => {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare(
      "update users set suspended_at = 1000, suspension_reason = 'Utapeli', email_proven_at = 2000, created_at = 3000 where id = ?",
    ).bind(person.id),
    env.DB.prepare('update phone_numbers set proven_at = 4000 where user_id = ?').bind(person.id),
  ]);
  expect((await (await exportOf(person)).json<Export>()).me).toEqual({
    id: person.id,
    username: person.username,
    email: person.email,
    email_proven_at: '1970-01-01T00:00:02.000Z',
    whatsapp_number: person.phone,
    number_proven_at: '1970-01-01T00:00:04.000Z',
    language: 'en',
    is_platform_admin: false,
    became_platform_admin_at: null,
    suspended_at: '1970-01-01T00:00:01.000Z',
    suspension_reason: 'Utapeli',
    created_at: '1970-01-01T00:00:03.000Z',
  });
  expect((await signIn(person.email, person.password)).status).toBe(200);
});
