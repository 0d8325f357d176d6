import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { isAppAddress } from '#worker/http/app-address.ts';
import { PAGE_STYLE, pageHeaders } from '#worker/http/html-page.ts';

async function headersOf(parts: Parameters<typeof pageHeaders>[0]): Promise<Headers> {
  return (
    await new Hono()
      .use(pageHeaders(parts))
      .get('/', (c) => c.html(''))
      .request('/')
  ).headers;
}

const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');

test('a page that the Worker draws has one style, no script, and is framed by nobody', async () => {
  const headers = await headersOf({ style: PAGE_STYLE });
  expect(headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
});

test('pictures, a form and a secret address are allowed for where a page has them', async () => {
  const headers = await headersOf({ style: PAGE_STYLE, hasPictures: true, hasForm: true, isSecret: true });
  const policy = headers.get('Content-Security-Policy');
  expect(policy).toContain("; img-src 'self'; form-action 'self'; ");
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
});

test.each([
  ['/', true],
  ['/my-posts', true],
  ['/assetsmith', true],
  ['/assets', false],
  ['/assets/main', false],
  ['/p', false],
  ['/p/x', false],
  ['/post/x', true],
  ['/photos/x', false],
  ['/favicon.ico', false],
])('%s belongs to the web app: %s', (path, isIts) => expect(isAppAddress(path)).toBe(isIts));
