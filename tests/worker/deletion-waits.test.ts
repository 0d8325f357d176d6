import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { readConfig } from '#worker/env.ts';
import { toProof } from '#worker/numbers/proof-rules.ts';
import { sweep } from '#worker/sweep.ts';
import { call, newPerson, newPost, type Person, signIn } from './support/api.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { isKnown, leave } from './support/leaving.ts';
import { decide, report, statusFor } from './support/moderation.ts';
import { everyRow } from './support/traces.ts';

async function newSuspended(): Promise<Person> {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const answer = await call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Utapeli' }, admin);
  expect(answer.status).toBe(204);
  return person;
}

/** Signs up with the e-mail or the number of somebody, all else being new. */
async function signUp(own: { email?: string; whatsapp_number?: string }): Promise<[number, string | undefined]> {
  const number = `+2556${crypto.getRandomValues(new Uint32Array(1)).join('').padStart(10, '0').slice(-8)}`;
  const fresh = { username: 'Mpya', email: `${crypto.randomUUID()}@example.com`, whatsapp_number: number };
  const answer = await call('POST', '/api/users', { ...fresh, password: 'matumaini ya kesho', ...own });
  return [answer.status, answer.ok ? undefined : (await answer.json<ErrorBody>()).code];
}

test('an account under report is closed and unseen at once, and erased after thirty days', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const post = await newPost(person, { title: 'Kitambulisho cha anayesubiri' });
  await report(post.id, other);
  expect((await leave(person)).status).toBe(204);
  expect((await call('GET', '/api/me', undefined, person)).status).toBe(401);
  expect((await signIn(person.email, person.password)).status).toBe(401);
  expect([await statusFor(post.id, other), await statusFor(post.id, {})]).toEqual([404, 404]);
  // Who has to decide still can, and lets nothing appear again.
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

test('a report that was decided keeps nobody', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const post = await newPost(person);
  await report(post.id, await newPerson());
  await decide('restore', post.id, admin);
  await leave(person);
  expect(await isKnown(person)).toBe(false);
});

test('while an account waits for its erasure its e-mail and its number are taken, even by a proof', async () => {
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

test("a suspended person's e-mail and number open no account for twelve months after theirs is gone", async () => {
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

test('nobody gets a code for a new password of an account that is closed', async () => {
  const person = await newSuspended();
  await leave(person);
  await call('POST', '/api/auth/request-password-reset', { whatsapp_number: person.phone });
  const codes = await env.DB.prepare('select count(*) as n from reset_codes where user_id = ?')
    .bind(person.id)
    .first('n');
  expect(codes).toBe(0);
});
