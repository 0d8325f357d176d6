import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { newApprovedCommunity } from './support/communities.ts';
import { codeOf, newNumber, newRegistration, proveByMessage, register } from './support/numbers.ts';

async function loseNumber(person: Person): Promise<void> {
  const number_proof = await proveByMessage(person.phone);
  expect((await register({ ...newRegistration(person.phone), number_proof })).status).toBe(201);
}

async function suspend({ id }: Person): Promise<void> {
  await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(id).run();
}

test.each([
  ['number_needed', loseNumber],
  ['suspended', suspend],
])('whoever is refused with %s reads, and writes nothing that others see', async (code, fall) => {
  const { community } = await newApprovedCommunity();
  const person = await newPerson({ whatsapp_number: newNumber() });
  const { id } = await newPost(person);
  await fall(person);
  const feedback = { email: person.email, message: `Ujumbe wa ${person.id}` };
  for (const [method, path, body] of [
    ['POST', '/api/posts', somePost],
    ['PUT', `/api/posts/${id}`, somePost],
    ['PATCH', `/api/posts/${id}/found`, undefined],
    ['DELETE', `/api/posts/${id}/found`, undefined],
    ['DELETE', `/api/posts/${id}`, undefined],
    ['POST', '/api/communities', { name: 'Jumuiya', description: 'Yetu' }],
    ['POST', '/api/communities/join', { access_code: community.access_code }],
    ['POST', '/api/feedback', feedback],
  ] as const) {
    const answer = await call(method, path, body, person);
    expect([method, path, answer.status, await codeOf(answer)]).toEqual([method, path, 403, code]);
  }
  expect((await call('GET', `/api/posts/${id}`, undefined, person)).status).toBe(200);
  for (const path of ['/api/me', '/api/posts', '/api/posts/by-owner', '/api/communities', '/api/notices'])
    expect((await call('GET', path, undefined, person)).status).toBe(200);
  expect((await call('POST', '/api/notices/read', {}, person)).status).toBe(200);
  expect((await call('POST', '/api/realtime/ticket', undefined, person)).status).toBe(200);
  expect((await call('PATCH', '/api/me', { username: 'Jina jipya' }, person)).status).toBe(200);
  // A visitor needs no account for it, and so not this one.
  expect((await call('POST', '/api/feedback', feedback)).status).toBe(201);
  const { results } = await env.DB.prepare('select 1 from feedback where message = ?').bind(feedback.message).all();
  expect(results).toHaveLength(1);
  const { results: checks } = await env.DB.prepare('select * from standing_checks').all();
  expect(checks).toEqual([]);
});

test('an account that lost its number writes again with another', async () => {
  const person = await newPerson({ whatsapp_number: newNumber() });
  await loseNumber(person);
  const proof = { number_proof: await proveByMessage(newNumber()), current_password: person.password };
  expect((await call('POST', '/api/me/whatsapp-number/confirm', proof, person)).status).toBe(200);
  expect((await call('POST', '/api/posts', somePost, person)).status).toBe(201);
});

test('a person is told of themself what is held of them', async () => {
  const number = newNumber();
  const registration = newRegistration(number);
  const made = await call('POST', '/api/users', registration, { language: 'sw' });
  const { id } = await made.json<{ id: string }>();
  const token = await signSessionToken(readConfig(env).keys.session, {
    userId: id,
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  const me = await call('GET', '/api/me', undefined, { token });
  expect(await me.json()).toEqual({
    id,
    username: registration.username,
    email: registration.email,
    is_email_proven: false,
    is_email_available: true,
    whatsapp_number: number,
    is_whatsapp_verified: false,
    language: 'sw',
    is_platform_admin: false,
    is_suspended: false,
    suspension_reason: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('a person changes their name and their language, each by itself', async () => {
  const person = await newPerson();
  const change = async (body: object) => (await call('PATCH', '/api/me', body, person)).json();
  expect(await change({ username: 'Bi. Neema 👒' })).toMatchObject({ username: 'Bi. Neema 👒', language: 'en' });
  expect(await change({ language: 'sw' })).toMatchObject({ username: 'Bi. Neema 👒', language: 'sw' });
  expect(await change({ id: 'x', email: 'x@example.com' })).toMatchObject({ id: person.id, email: person.email });
  for (const body of [{ username: '' }, { username: 'x'.repeat(61) }, { language: 'fr' }, { language: null }])
    expect((await call('PATCH', '/api/me', body, person)).status).toBe(422);
  expect((await call('PATCH', '/api/me', {})).status).toBe(401);
});

test('a post says to whoever sees its number whether its author has proven theirs', async () => {
  const [author, reader] = [await newPerson({ whatsapp_number: newNumber() }), await newPerson()];
  const { id } = await newPost(author);
  const seenBy = async (viewer?: Person) =>
    (await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<{ is_author_proven: unknown }>())
      .is_author_proven;
  expect([await seenBy(), await seenBy(reader), await seenBy(author)]).toEqual([null, false, false]);
  const proof = { number_proof: await proveByMessage(author.phone), current_password: author.password };
  expect((await call('POST', '/api/me/whatsapp-number/confirm', proof, author)).status).toBe(200);
  expect([await seenBy(), await seenBy(reader), await seenBy(author)]).toEqual([null, true, true]);
});
