import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { assertCurrentPassword } from '#worker/accounts/index.ts';
import { answerError } from '#worker/http/answer-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { withConfiguration } from '#worker/http/configuration.ts';
import { withLanguage } from '#worker/http/language.ts';
import { requireViewer, withViewer } from '#worker/http/viewer.ts';
import { newPerson, ORIGIN, type Person } from './support/api.ts';

/** A route that asks for the password, as any that does. */
const asking = new Hono<AppEnv>()
  .use(withLanguage)
  .use(withConfiguration)
  .use(withViewer)
  .post('/', requireViewer, async (c) => {
    await assertCurrentPassword(c, c.var.viewer, await c.req.text());
    return c.json({ success: true });
  });
asking.onError(answerError);

async function give({ token }: Person, password: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await asking.fetch(new Request(`${ORIGIN}/`, { method: 'POST', headers, body: password }), env);
  return answer.status === 200 ? 'right' : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
}

test('the current password passes, a wrong one is 403', async () => {
  const person = await newPerson();
  expect(await give(person, person.password)).toBe('right');
  expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
});

test('wrong ones are counted, and after ten the right one waits too', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const guesses = await Promise.all(Array.from({ length: 12 }, () => give(person, 'si hili nenosiri')));
  expect(guesses.filter((guess) => guess === '403 wrong_password')).toHaveLength(10);
  expect(guesses.filter((guess) => guess === '429 too_many_requests')).toHaveLength(2);
  expect(await give(person, person.password)).toBe('429 too_many_requests');
  expect(await give(other, other.password)).toBe('right');
});

test('the right one forgets the wrong ones before it', async () => {
  const person = await newPerson();
  for (let round = 0; round < 2; round++) {
    for (let guess = 0; guess < 9; guess++) expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
    expect(await give(person, person.password)).toBe('right');
  }
});

test('a session that has been revoked says nothing about a password', async () => {
  const person = await newPerson();
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
  expect(await give(person, person.password)).toBe('401 unauthorized');
});
