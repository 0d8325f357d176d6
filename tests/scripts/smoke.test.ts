import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readVersion, tryApp } from '#scripts/smoke/try-app.ts';

type Answer = { status?: number; type?: string; body?: string };

let close = () => {};
afterEach(() => close());

/**
 * Serves a healthy app, except for the given responses. /api/health answers with the given versions in turn, and then
 * repeats the last version.
 */
async function startApp(wrong: Record<string, Answer> = {}, versions = ['new']): Promise<string> {
  const page = { type: 'text/html', body: '<link href="/assets/app.css"><script src="/assets/app.js"></script>' };
  const right: Record<string, Answer> = {
    '/': page,
    '/view-posts': page,
    '/assets/app.js': { type: 'text/javascript' },
    '/assets/app.css': { type: 'text/css' },
    '/api/posts?limit=1': { body: '[]' },
  };
  let visits = 0;
  const health = (): Answer => ({
    body: JSON.stringify({ status: 'ok', version: versions[Math.min(visits++, versions.length - 1)] }),
  });
  const server = createServer(({ url = '/' }, response) => {
    const answer = wrong[url] ?? (url === '/api/health' ? health() : right[url]) ?? { status: 404 };
    const { status = 200, type = 'application/json', body = '' } = answer;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the smoke test reports no problems for a healthy app', async () => {
  expect(await tryApp(await startApp())).toEqual([]);
});

test('after a deployment the smoke test waits for a response of the new version', async () => {
  const origin = await startApp({}, ['old', 'old', 'new']);
  expect(await readVersion(origin)).toBe('old');
  expect(await tryApp(origin, 'old')).toEqual([]);
});

test('the smoke test reads null as the app’s version if the URL does not respond', async () => {
  const origin = await startApp();
  close();
  expect(await readVersion(origin)).toBeNull();
});

const PAGE: Answer = { type: 'text/html', body: '<html></html>' };

test.each<[string, Answer, RegExp]>([
  ['/', PAGE, /\/ answers 200 with 0 files/],
  ['/view-posts', { status: 500 }, /\/view-posts answers 500/],
  ['/assets/app.js', PAGE, /app\.js answers 200 as text\/html/],
  ['/assets/app.css', { status: 404 }, /app\.css answers 404/],
  ['/api/posts?limit=1', { body: '{}' }, /\/api\/posts answers 200 and no list/],
  ['/api/nothing-of-ours', PAGE, /nothing-of-ours answers 200/],
])('the smoke test reports the URL %s if its response is not as expected', async (path, answer, problem) => {
  const problems = await tryApp(await startApp({ [path]: answer }));
  expect(new Set(problems)).toHaveProperty('size', 1);
  expect(problems[0]).toMatch(problem);
});
