import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { ORIGIN } from './support/api.ts';

/** The build, of which nothing is asked here but its page. */
const ASSETS = { fetch: async ({ url }: Request) => new Response(`the page of ${new URL(url).pathname}`) };

function open(path: string, init: RequestInit = {}): Promise<Response> {
  const bindings: object = { ASSETS };
  return Promise.resolve(
    app.fetch(new Request(ORIGIN + path, init), { ...env, ...bindings } as Env, createExecutionContext()),
  );
}

test.each([
  ['a browser that opens it', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
  ['who does not say what for', {}],
])('an address of the app is answered with its page to %s', async (_who, headers) => {
  const answer = await open('/my-posts', { headers });
  expect([answer.status, await answer.text()]).toEqual([200, 'the page of /']);
});

test.each([
  ['a script', '/my-posts', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
  ['a file that a deploy has replaced', '/assets/main-old.js', { 'Sec-Fetch-Mode': 'navigate' }],
])('%s that is not there is absent, and never the page', async (_what, path, headers) => {
  const answer = await open(path, { headers });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('the page');
});

test('an address of the app is only read', async () => {
  const answer = await open('/my-posts', { method: 'POST' });
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});
