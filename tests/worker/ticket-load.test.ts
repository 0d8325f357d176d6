import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { newPerson, ORIGIN, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';

function takeTicket({ token }: Person, isCalm: boolean) {
  const TICKETS = { limit: async () => ({ success: isCalm }) };
  const bindings = { ...env, TICKETS } as unknown as Env;
  const init = { method: 'POST', headers: { Authorization: `Bearer ${token}` } };
  return app.request(`${ORIGIN}/api/realtime/ticket`, init, bindings, createExecutionContext());
}

test('who comes for a ticket beyond what a location can take is told another moment each, of thirty', async () => {
  captureLogs();
  const person = await newPerson();
  const answers = await Promise.all(Array.from({ length: 60 }, () => takeTicket(person, false)));
  const seconds = answers.map(({ headers }) => Number(headers.get('Retry-After')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(await answers[0]?.json<ErrorBody>()).toMatchObject({ code: 'unavailable' });
  expect(seconds.every((one) => Number.isInteger(one) && one >= 1 && one <= 30)).toBe(true);
  expect(new Set(seconds).size).toBeGreaterThan(10);
  expect((await takeTicket(person, true)).status).toBe(200);
});

test('one person who floods does not use up what their location can take', async () => {
  const person = await newPerson();
  let asked = 0;
  const WRITES_OF_PERSON = { limit: async () => ({ success: false }) };
  const TICKETS = { limit: async () => ({ success: ++asked > 0 }) };
  const bindings = { ...env, WRITES_OF_PERSON, TICKETS } as unknown as Env;
  const init = { method: 'POST', headers: { Authorization: `Bearer ${person.token}` } };
  const answer = await app.request(`${ORIGIN}/api/realtime/ticket`, init, bindings, createExecutionContext());
  expect([answer.status, asked]).toEqual([429, 0]);
});

test('a location takes a thousand in ten seconds', async () => {
  let count = 0;
  for (let isCalm = true; isCalm && count < 2_000; ) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => env.TICKETS.limit({ key: 'a location' })));
    count += answers.filter(({ success }) => success).length;
    isCalm = answers.every(({ success }) => success);
  }
  // More where the ten seconds end in between.
  expect(count).toBeGreaterThanOrEqual(1_000);
});
