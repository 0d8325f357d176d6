import type { APIResponse } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';

test.use({ serviceWorkers: 'allow' });

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

function expectAbsent(answer: APIResponse): void {
  const headers = answer.headers();
  expect([answer.status(), headers['cache-control']]).toEqual([404, 'no-store']);
  expect(headers).toMatchObject(EVERYWHERE);
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
}

test('the URL of a missing file gets a 404 of plain text that is never cached', async ({ request }) => {
  for (const path of [
    '/assets/index-absent.js',
    '/assets/absent',
    '/assets/',
    '/%61ssets/absent.js',
    '/absent.png',
    '/.git/config',
    '/photos/absent',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST']) expectAbsent(await request.fetch(path, { method }));
    const swahili = await request.get(path, { headers: { 'Accept-Language': 'sw' } });
    expect(await swahili.text(), path).toBe('Hakuna kitu kwenye anwani hii.');
  }
});

test('a path such as /my-posts returns the home page’s HTML and headers for GET and HEAD requests, and 405 for POST', async ({
  request,
}) => {
  const home = await request.get('/');
  const known = { headers: { 'If-None-Match': home.headers().etag ?? '' } };
  for (const path of [
    '/my-posts',
    '/my-posts/',
    '/posts/absent',
    '/community-details/x',
    '/nowhere',
    '/my-posts?x=a.b',
  ]) {
    const page = await request.get(path);
    expect(page.status(), path).toBe(200);
    // Two kinds of headers may differ from the home page's headers: the platform's cache headers, and headers that only
    // the Worker sets.
    const { 'x-request-id': requestId, 'cloudflare-cdn-cache-control': kept, ...headers } = page.headers();
    expect([requestId, kept], path).toEqual([expect.stringMatching(/^[\w-]{36}$/), 'no-store']);
    expect({ ...headers, 'cf-cache-status': '' }, path).toEqual({ ...home.headers(), 'cf-cache-status': '' });
    expect(page.headers()).toMatchObject({ ...EVERYWHERE, 'cache-control': 'public, max-age=0, must-revalidate' });
    expect(page.headers()['content-security-policy']).toMatch(
      /script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-/,
    );
    expect(await page.text()).toBe(await home.text());
    expect((await request.get(path, known)).status(), path).toBe(304);
    const head = await request.head(path);
    expect([head.status(), await head.text()], path).toEqual([200, '']);
    const post = await request.post(path);
    expect([post.status(), post.headers().allow, post.headers()['cache-control']], path).toEqual([
      405,
      'GET, HEAD',
      'no-store',
    ]);
  }
});

test('a prerendered page is served at exactly one URL', async ({ request }) => {
  for (const path of ['/login/', '/login.html']) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([307, '/login']);
  }
  expect(await (await request.get('/login')).text()).toContain('data-page="/login"');
});

test('a URL of the app opens as a page, even without the service worker’s caches, but returns 404 to a script element or fetch()', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/404/, /MIME type/);
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto('/nowhere');
  await expect(heading).toBeVisible();
  const wanted = await page.evaluate(async () => {
    const script = document.createElement('script');
    const { promise, resolve } = Promise.withResolvers<string>();
    script.addEventListener('error', () => resolve('error'));
    script.addEventListener('load', () => resolve('load'));
    script.src = '/my-posts';
    document.head.append(script);
    return [await promise, (await fetch('/my-posts')).status];
  });
  expect(wanted).toEqual(['error', 404]);

  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
  await page.goto('/nowhere?again');
  await expect(heading).toBeVisible();
});
