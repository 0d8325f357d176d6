import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import {
  CARD_TEMPLATES_PATH,
  type CardTemplates,
  cardVariantOf,
  FIRST_POSTS_PLACE,
  type FirstPosts,
} from '#contract/first-posts.ts';
import type { Language } from '#contract/language.ts';
import { postEntrySchema } from '#contract/posts.ts';
import { aPost } from '#tests/support/posts.ts';
import { call, newPerson, newPost, ORIGIN } from '#tests/worker/support/api.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

const POLICY = "default-src 'none'";
const PAGE = `<!doctype html><html lang="en" data-page="/view-posts"><head><title>Patikana</title></head><body>
<div data-prerendered="en"><i ${FIRST_POSTS_PLACE}>wait</i></div><div data-prerendered="sw"><i ${FIRST_POSTS_PLACE}>subiri</i></div>
<div id="root"></div></body></html>`;

const VARIANTS = [{}, { is_found: true }] as const;

/** Returns minimal card templates like those of the build. Each card shows its language and variant. */
function templatesIn(language: Language): CardTemplates {
  const cards = VARIANTS.map((variant) => {
    const post = aPost(variant);
    const markup = `<li><article aria-label="__title__">${language} ${post.is_found} ${post.contact} __owner__
      <p>__location__</p><p class="description">__description__</p></article></li>`;
    return [cardVariantOf(post), markup];
  });
  return { start: `<ul lang="${language}">`, cards: Object.fromEntries(cards), end: '</ul>' };
}

/** Simulates the built files: the card templates, and a minimal page with its headers. */
const ASSETS = {
  async fetch(request: Request) {
    if (new URL(request.url).pathname === CARD_TEMPLATES_PATH)
      return Response.json({ en: templatesIn('en'), sw: templatesIn('sw') });
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'public, max-age=0, must-revalidate',
      'Content-Length': String(PAGE.length),
      ETag: '"bare"',
    };
    if (request.headers.get('If-None-Match') === '"bare"') return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : PAGE, { headers });
  },
};

const OPENED = { 'Sec-Fetch-Mode': 'navigate' };

function open(path = '/view-posts', init: RequestInit = {}, others: object = {}): Promise<Response> {
  const bindings: object = { ASSETS, ...others };
  const request = new Request(`${ORIGIN}${path}`, { headers: OPENED, ...init });
  return Promise.resolve(app.fetch(request, { ...env, ...bindings } as Env, createExecutionContext()));
}

const firstPosts = z.object({ at: z.string(), entries: z.array(postEntrySchema), next_cursor: z.nullable(z.string()) });

function dataOf(page: string): FirstPosts | null {
  const [, json] = /<script type="application\/json" id="first-posts">(.*?)<\/script>/s.exec(page) ?? [];
  return json === undefined ? null : (firstPosts.parse(JSON.parse(json)) as FirstPosts);
}

beforeEach(async () => {
  await env.DB.prepare('delete from posts').run();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the HTML page of the list of posts contains the first posts twice, once in each language', async () => {
  const author = await newPerson();
  await newPost(author, { title: 'Simu ya zamani' });
  await newPost(author, { title: '</script><b>"Mkoba"</b>', description: 'Piga 0712 345 678' });
  const returned = await newPost(author, { title: 'Tayari imerudi' });
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, author);
  const answer = await open();
  const page = await answer.text();
  expect(dataOf(page)?.entries).toEqual(await (await call('GET', '/api/posts?limit=20')).json());
  const [, en = '', sw = ''] = page.split('data-prerendered=');
  for (const [language, cards] of Object.entries({ en, sw })) {
    expect(cards).toMatch(new RegExp(`<ul lang="${language}">.*</ul>`, 's'));
    expect(cards).toMatch(new RegExp(`aria-label="Tayari imerudi">${language} true number`));
    expect(cards).toMatch(new RegExp(`aria-label="Simu ya zamani">${language} false number`));
  }
  for (const absent of ['wait', 'subiri', '345 678', author.phone]) expect(page).not.toContain(absent);
  expect(page).toContain('<html lang="en" data-page="/view-posts" data-first-posts="">');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'public, max-age=0, must-revalidate',
    'cloudflare-cdn-cache-control': 'public, max-age=15, must-revalidate',
    'cache-tag': 'newest-posts',
    vary: 'Sec-Fetch-Mode',
  });
  for (const ofTheFile of ['ETag', 'Content-Length']) expect(answer.headers.has(ofTheFile)).toBe(false);
  expect([dataOf(page)?.next_cursor, page.match(/<article/g)?.length, page.match(/<title>/g)?.length]).toEqual([
    null,
    6,
    1,
  ]);
  expect(Math.abs(Date.parse(dataOf(page)?.at ?? '') - Date.now())).toBeLessThan(60_000);
});

test('if there are no posts, the HTML page of the list of posts keeps its placeholder cards and embeds an empty list', async () => {
  const page = await (await open()).text();
  expect(dataOf(page)).toMatchObject({ entries: [], next_cursor: null });
  expect([page.includes('wait'), page.includes('subiri'), page.includes('article')]).toEqual([true, true, false]);
});

test('a client that does not send the header Sec-Fetch-Mode gets the posts in the HTML page of the list of posts', async () => {
  await newPost(await newPerson());
  const answer = await open('/view-posts', { headers: {} });
  expect([dataOf(await answer.text())?.entries.length, answer.headers.get('Vary')]).toEqual([1, 'Sec-Fetch-Mode']);
});

test('if the HTML file for the list of posts cannot be loaded, the client gets the error, and the error is not cached', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const failing = { fetch: async () => new Response('hakuna faili', { status: 503, headers: { 'X-File': 'none' } }) };
  const answer = await open('/view-posts', {}, { ASSETS: failing });
  expect([answer.status, answer.headers.get('X-File'), await answer.text()]).toEqual([503, 'none', 'hakuna faili']);
  expect(answer.headers.get('Cloudflare-CDN-Cache-Control')).toBe('no-store');
});

test('the HTML page of the list of posts embeds the data of twenty posts, the next cursor, and six cards in each language', async () => {
  const author = await newPerson();
  for (let at = 0; at < 21; at++) await newPost(author, { title: `Kitu ${at}` });
  const page = await (await open()).text();
  const data = dataOf(page);
  expect(data?.entries).toHaveLength(20);
  expect(page.match(/<article/g)).toHaveLength(12);
  const next = await call('GET', `/api/posts?limit=20&cursor=${data?.next_cursor}`);
  expect((await next.json<{ Post: { title: string } }[]>()).map(({ Post }) => Post.title)).toEqual(['Kitu 0']);
});

test('a browser that has cached the built HTML file without posts gets the HTML page with posts instead of a 304', async () => {
  await newPost(await newPerson());
  const answer = await open('/view-posts', { headers: { ...OPENED, 'If-None-Match': '"bare"' } });
  expect([answer.status, dataOf(await answer.text())?.entries.length]).toEqual([200, 1]);
});

test.each([
  ['with a query', '/view-posts?search=simu', { headers: OPENED }],
  ['with HEAD', '/view-posts', { headers: OPENED, method: 'HEAD' }],
  ['by a script', '/view-posts', { headers: { 'Sec-Fetch-Mode': 'cors' } }],
] as const)(
  'a request for /view-posts %s gets the built HTML file without posts, and the CDN does not cache the response',
  async (_how, path, init) => {
    await newPost(await newPerson());
    const answer = await open(path, init);
    const page = await answer.text();
    expect([answer.status, page.includes('article'), page.includes('data-first-posts=')]).toEqual([200, false, false]);
    expect([answer.headers.get('ETag'), answer.headers.get('Vary')]).toEqual(['"bare"', 'Sec-Fetch-Mode']);
    expect(answer.headers.get('Cloudflare-CDN-Cache-Control')).toBe('no-store');
    const again = await open(path, { ...init, headers: { ...init.headers, 'If-None-Match': '"bare"' } });
    expect(again.status).toBe(304);
  },
);

test('the HTML page of the list of posts accepts only GET and HEAD', async () => {
  const answer = await open('/view-posts', { method: 'POST', body: '{}' });
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

test('a signed-in user gets the same HTML page of the list of posts as a visitor, but uncached', async () => {
  const author = await newPerson();
  await newPost(author);
  const answer = await open('/view-posts', { headers: { ...OPENED, Authorization: `Bearer ${author.token}` } });
  expect(dataOf(await answer.text())?.entries[0]?.Post).toMatchObject({ is_mine: false, phone_number: null });
  expect(answer.headers.get('Cloudflare-CDN-Cache-Control')).toBe('no-store');
});

test('a post’s card in the HTML page of the list of posts escapes the author’s text, and has no line for an empty field', async () => {
  const author = await newPerson();
  const typed = { title: '"><b>__location__</b>', owner_first_name: 'Neema', owner_last_name: '', location: '$& <i>' };
  await newPost(author, { ...typed, description: 'Mweusi' });
  await newPost(author, { ...typed, description: '' });
  const [, en = ''] = (await (await open()).text()).split('data-prerendered=');
  expect(en.match(/aria-label="&quot;&gt;&lt;b&gt;__location__&lt;\/b&gt;">en false number Neema\s/g)).toHaveLength(2);
  expect(en.match(/<p>\$&amp; &lt;i&gt;<\/p>/g)).toHaveLength(2);
  expect(en.match(/<p class="description">/g)).toHaveLength(1);
  expect(en).toContain('<p class="description">Mweusi</p>');
});

const broken = {
  'a database that fails': {
    DB: {
      withSession: () => {
        throw new Error('D1_ERROR: no such place');
      },
    },
  },
  'a build that lacks card-templates.json': {
    ASSETS: { fetch: async (request: Request) => ASSETS.fetch(new Request(request.url.replace('.json', ''), request)) },
  },
  'a Worker without its secrets': { JWT_SECRET: '' },
  'too many requests from one IP address': {
    READS_OF_ADDRESS: { limit: async () => ({ success: false }) },
    WHATSAPP_TRANSPORT: 'local',
  },
};

test.each(Object.entries(broken))(
  'with %s, the HTML page of the list of posts is complete, but contains placeholder cards instead of posts',
  async (_why, bindings) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await newPost(await newPerson());
    const headers = { ...OPENED, 'CF-Connecting-IP': '198.51.100.7' };
    const page = await (await open('/view-posts', { headers }, bindings)).text();
    expect([page.includes('wait'), page.includes('subiri'), dataOf(page)]).toEqual([true, true, null]);
    expect(page).toContain('</html>');
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual(['first_posts_missing']);
  },
);

/** A database that responds when the test allows it. */
function heldDatabase() {
  const { promise: isLetAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
  const withSession = (...how: Parameters<D1Database['withSession']>) => {
    const session = env.DB.withSession(...how);
    return {
      prepare: (text: string) => session.prepare(text),
      async batch(statements: D1PreparedStatement[]) {
        await isLetAnswer;
        return session.batch(statements);
      },
    };
  };
  return { DB: { withSession }, letAnswer };
}

/** Reads until the text appears, or to the end. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, text: string | null): Promise<string> {
  let read = '';
  while (text === null || !read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    read += new TextDecoder().decode(value);
  }
  return read;
}

test.each([true, false])(
  'the HTML page of the list of posts contains the posts only if the database responds in time (responds in time: %s)',
  async (isInTime) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    await newPost(await newPerson());
    const { DB, letAnswer } = heldDatabase();
    // The test's clock controls how long the page waits for the posts.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const reader = (await open('/view-posts', {}, { DB })).body?.getReader();
    if (!reader) throw new Error('no page');
    expect(await readUntil(reader, '</head>')).not.toContain('wait');
    if (isInTime) letAnswer();
    else vi.advanceTimersByTime(300);
    const rest = await readUntil(reader, null);
    expect([rest.includes('<article'), rest.includes('wait'), dataOf(rest) !== null]).toEqual([
      isInTime,
      !isInTime,
      isInTime,
    ]);
    expect(rest).toContain('</html>');
    letAnswer();
  },
);
