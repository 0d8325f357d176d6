import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from '#contract/links.ts';
import { type Caller, call, newPerson, newPost, ORIGIN, readPage, somePost } from '#tests/worker/support/api.ts';
import {
  communityCodeOf,
  newApprovedCommunity,
  newPlatformAdmin,
  showPasskey,
} from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { load, newPhoto } from '#tests/worker/support/posts.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

const WEIGHT_MAX_BYTES = 30 * 1024;

async function open(postId: string, search = '', caller: Caller = {}) {
  const answer = await call('GET', `/p/${postId}${search}`, undefined, caller);
  const page = await answer.text();
  return { status: answer.status, headers: answer.headers, page, ...(await readPage(page)) };
}

async function weigh(page: string): Promise<number> {
  const packed = new Response(page).body?.pipeThrough(new CompressionStream('gzip'));
  return (await new Response(packed).arrayBuffer()).byteLength;
}

async function communityPost() {
  const { community, creator } = await newApprovedCommunity();
  const community_code = await communityCodeOf(community.id, creator);
  return { creator, post: await newPost(creator, { title: 'Mkoba wa siri', location: 'Bweni', community_code }) };
}

test('a post’s share page says what was lost or found, where and when, and has meta tags for chat apps and search engines', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, { title: 'Kitambulisho cha NIDA', location: 'Kariakoo', kind: 'document' });
  const { status, headers, page, tags, links, language, title, buttons } = await open(id, '?lang=sw');
  expect([status, headers.get('Content-Type'), language]).toEqual([200, 'text/html; charset=UTF-8', 'sw']);
  expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual(['public, max-age=60', 'Accept-Language']);
  expect(headers.get('Cloudflare-CDN-Cache-Control')).toBe('public, max-age=60, must-revalidate');
  expect(headers.get('Cache-Tag')).toBe(`post-${id}`);
  expect(title).toBe('Kimeokotwa: Kitambulisho cha NIDA, Kariakoo · Patikana');
  const address = `${ORIGIN}/p/${id}?lang=sw`;
  expect(tags).toMatchObject({
    description: somePost.description,
    'og:title': 'Kimeokotwa: Kitambulisho cha NIDA, Kariakoo',
    'og:description': somePost.description,
    'og:url': address,
    'og:locale': 'sw_TZ',
    'og:locale:alternate': 'en_GB',
    'og:image': `${ORIGIN}/previews/document-finder-sw.jpg`,
    'og:image:type': 'image/jpeg',
    'og:image:width': String(PREVIEW_WIDTH),
    'og:image:height': String(PREVIEW_HEIGHT),
    'twitter:card': 'summary_large_image',
  });
  expect(tags).not.toHaveProperty('robots');
  expect(links).toMatchObject({
    canonical: address,
    'alternate en': `${ORIGIN}/p/${id}?lang=en`,
    'alternate sw': address,
    'alternate x-default': `${ORIGIN}/p/${id}`,
  });
  expect(buttons).toEqual([`/posts/${id}`]);
  for (const words of [
    '<bdi>Kitambulisho cha NIDA</bdi>',
    '<bdi>Kariakoo</bdi>',
    `<bdi>${somePost.description}</bdi>`,
  ]) {
    expect(page).toContain(words);
  }
});

test('the share page of a found thing says where the thing is now, if the finder has entered this place', async () => {
  const author = await newPerson();
  const kept = await newPost(author, { title: 'Simu ya Itel', kept_at: 'Kituo cha polisi, piga 0754 111 222' });
  const page = (await open(kept.id, '?lang=en')).page;
  expect(page).toContain('<dt>Where it is now</dt>');
  expect(page).toContain('<bdi>Kituo cha polisi, piga •••</bdi>');
  const other = (await open((await newPost(author)).id, '?lang=en')).page;
  expect(other).not.toMatch(/Where it is now|null/);
});

test('a post’s share page and preview picture show the first photo, unless the post is about a document', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, { title: 'Begi jekundu', kind: 'bag' });
  const first = await newPhoto(id, author, 'large.jpg', 'Begi "jekundu"');
  await newPhoto(id, author);
  const { page, tags } = await open(id, '?lang=sw');
  expect(tags['og:image']).toMatch(new RegExp(`^${ORIGIN}/photos/[\\w-]+\\.jpg$`));
  const preview = await load(String(tags['og:image']).slice(ORIGIN.length));
  expect([preview.status, preview.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
  expect(page.match(/<img/g)).toHaveLength(1);
  expect(page).toContain(`src="${first.thumbnail_url}"`);
  expect(page).toContain('alt="Begi &quot;jekundu&quot;"');
  await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Kitambulisho', kind: 'document' }, author);
  const document = await open(id, '?lang=sw');
  expect(document.page).not.toContain('/photos/');
  expect(document.tags['og:image']).toBe(`${ORIGIN}/previews/document-finder-sw.jpg`);
});

test('the share page has no script, and its content security policy allows only its own style', async () => {
  const { headers, page } = await open((await newPost(await newPerson())).id);
  expect(page).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=/i);
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = btoa(
    String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))),
  );
  const policy = headers.get('Content-Security-Policy');
  for (const rule of ["default-src 'none'", `style-src 'sha256-${hash}'`, "img-src 'self'", "frame-ancestors 'none'"]) {
    expect(policy).toContain(rule);
  }
});

test.each([
  ['?lang=en', 'sw', 'en'],
  ['?lang=sw', 'en', 'sw'],
  ['?lang=fr', 'en-GB,sw;q=0.5', 'en'],
  ['', 'sw-TZ', 'sw'],
  ['', 'fr-FR', 'sw'],
  ['', '', 'sw'],
])(
  'the share page with the query “%s”, for a browser that prefers the languages “%s”, is in the language “%s”',
  async (search, accepted, language) => {
    const { id } = await newPost(await newPerson(), { posted_by: 'owner' });
    const [page, gone] = [
      await open(id, search, { language: accepted }),
      await open('x', search, { language: accepted }),
    ];
    expect([page.language, gone.language]).toEqual([language, language]);
    expect(page.tags['og:title']).toMatch(language === 'sw' ? /^Kimepotea: / : /^Lost: /);
    expect(page.page).toMatch(language === 'sw' ? /Lilitangazwa/ : /Posted/);
  },
);

test('the share page of the longest possible post weighs at most 30 KiB', async () => {
  const words = Array.from({ length: 400 }, (_, at) => `${at}é`).join(' ');
  const { id } = await newPost(await newPerson(), { title: '“'.repeat(120), description: words.slice(0, 2_000) });
  const { page, tags } = await open(id, '?lang=en');
  expect(await weigh(page)).toBeLessThan(WEIGHT_MAX_BYTES);
  expect(tags['og:description']).toMatch(/^0é 1é .{100,200}…$/);
});

test('the share page shows no phone number, document number or e-mail address', async () => {
  const { id } = await newPost(await newPerson(), {
    title: 'NIDA 19900101-12345-00001-23 piga 0754 111 222',
    location: 'Posta, asha@example.com',
    description: 'Nipigie 0754111222',
    phone_number: '0666123987',
    kind: 'document',
  });
  for (const caller of [{}, await newPerson()]) {
    const { page } = await open(id, '', caller);
    for (const secret of ['0666123987', '666123987', '0754', '111222', '19900101', 'asha@example.com']) {
      expect(page).not.toContain(secret);
    }
    expect(page).toContain('•••');
  }
});

test('the share page escapes the author’s text, and right-to-left text does not affect the surrounding page or the meta tags', async () => {
  const title = '"><script>alert(1)</script> \u200fمفتاح\u200e &amp;';
  const description = 'Mstari </style><img src=x onerror=alert(1)>\nwa pili \u202eeno\u202c {title} $& ';
  const { id } = await newPost(await newPerson(), { title, description, location: "Kwa 'Mama' <b>" });
  const { page, tags, title: name } = await open(id, '?lang=en');
  expect(page).not.toMatch(/<script|<img|<b>/);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page).toContain('<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; \u200fمفتاح\u200e &amp;amp;</bdi>');
  expect(tags['og:title']).toBe(`Found: "><script>alert(1)</script> مفتاح &amp;, Kwa 'Mama' <b>`);
  expect(name).toBe(`${tags['og:title']} · Patikana`);
  expect(tags['og:description']).toBe('Mstari </style><img src=x onerror=alert(1)> wa pili eno {title} $&');
});

test('the share page of a returned post says that it is returned, and no longer asks “Is it yours?”', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, { title: 'Funguo' });
  await call('PATCH', `/api/posts/${id}/found`, undefined, author);
  const { status, page, tags } = await open(id, '?lang=en');
  expect(status).toBe(200);
  expect(page).toContain('<p class="kind returned">Found and returned</p>');
  expect(page).not.toContain('Is it yours?');
  expect(tags['og:title']).toBe(`Found and returned: Funguo, ${somePost.location}`);
});

test('the share page of a community’s post says only that the post is for members, even to members', async () => {
  const { creator, post } = await communityPost();
  for (const caller of [{}, creator]) {
    const { status, headers, page, tags, links, buttons } = await open(post.id, '?lang=en', caller);
    expect([status, tags, links.canonical]).toEqual([200, { viewport: tags.viewport, robots: 'noindex' }, undefined]);
    expect(headers.get('Cache-Control')).toBe('public, max-age=60');
    expect(page).toContain('members of its community');
    expect(buttons).toEqual([`/posts/${post.id}`]);
    for (const secret of ['Mkoba', 'Bweni', 'Kimeokotwa', 'Found', 'Shule', String(post.community_code)]) {
      expect(page).not.toContain(secret);
    }
  }
});

const ENDS: Record<string, (postId: string, author: Caller) => Promise<unknown>> = {
  deleted: (id, author) => call('DELETE', `/api/posts/${id}`, undefined, author),
  closed: (id, author) => call('PUT', `/api/posts/${id}/outcome`, { outcome: 'with_police' }, author),
  resting: (id) => write('update posts set away_since = 1 where id = ?', id),
  async hidden(id) {
    const admin = await newPlatformAdmin();
    await showPasskey(admin);
    await call('POST', `/api/admin/posts/${id}/hide`, { reason: 'Utapeli' }, admin);
  },
  'a suspended person’s': (id) => write('update posts set hidden_by = 8 where id = ?', id),
  'a closed account’s': (id) => write('update posts set hidden_by = 16 where id = ?', id),
};

function write(statement: string, postId: string): Promise<unknown> {
  return env.DB.prepare(statement).bind(postId).run();
}

test.each(Object.keys(ENDS))(
  'the share page of a post that is %s equals the page of a post that does not exist',
  async (end) => {
    const author = await newPerson();
    const inside = await communityPost();
    const returned = await newPost(author, { title: 'Kofia ya zamani' });
    await call('PATCH', `/api/posts/${returned.id}/found`, undefined, author);
    const posts = [
      { author, post: await newPost(author, { title: 'Kofia ya zamani' }) },
      { author: inside.creator, post: inside.post },
      ...(end === 'closed' || end === 'resting' ? [] : [{ author, post: returned }]),
    ];
    const never = await open('hakuna', '?lang=en');
    expect([never.status, never.tags.robots, never.buttons]).toEqual([404, 'noindex', ['/view-posts']]);
    expect(never.headers.get('Cache-Control')).toBe('public, max-age=60');
    for (const { post, author: by } of posts) {
      await ENDS[end]?.(post.id, by);
      const { status, page } = await open(post.id, '?lang=en', by);
      expect(status).toBe(404);
      expect(page.replaceAll(post.id, 'hakuna')).toBe(never.page);
    }
  },
);

test('HEAD for a share page responds like GET, without a body', async () => {
  const { id } = await newPost(await newPerson());
  for (const [path, status] of [
    [`/p/${id}`, 200],
    ['/p/hakuna', 404],
  ] as const) {
    const [head, get] = [await call('HEAD', path), await call('GET', path)];
    expect([head.status, await head.text()]).toEqual([status, '']);
    const withoutId = ({ headers }: Response) => ({ ...Object.fromEntries(headers), 'x-request-id': '' });
    expect(withoutId(head)).toEqual(withoutId(get));
  }
});

test.each(['/p', '/p/', '/p/a/b', '/p/%00', '/p/picha.jpg'])('the share URL %s gives a 404 page', async (path) => {
  const answer = await call('GET', path);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=60');
  expect(answer.headers.get('Cloudflare-CDN-Cache-Control')).toBe('public, max-age=60, must-revalidate');
});

test('a share page refuses POST, PUT and DELETE', async () => {
  const { id } = await newPost(await newPerson());
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await call(method, `/p/${id}`);
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET']);
  }
});

test('a request for a share page makes one database call', async () => {
  const { id } = await newPost(await newPerson());
  expect(await countTrips('GET', `/p/${id}`)).toMatchObject({ trips: 1 });
});

test('a share page that cannot be loaded shows an error in the user’s language, and is not cached', async () => {
  const request = new Request(`${ORIGIN}/p/x`, { headers: { 'Accept-Language': 'en' } });
  const answer = await app.fetch(request, { ...env, JWT_SECRET: '' });
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([503, 'no-store']);
  expect(answer.headers.has('Cache-Tag')).toBe(false);
  const page = await answer.text();
  expect(page).toContain('Please open it again');
  // The link to the page in the other language keeps the post's id.
  expect(page).toContain('href="/p/x?lang=sw"');
});

test('the URLs in a share page start with APP_ORIGIN, whatever host the request names', async () => {
  const { id } = await newPost(await newPerson());
  const bindings = { ...env, APP_ORIGIN: 'https://patikana.co.tz' } as unknown as Env;
  const answer = await app.fetch(
    new Request(`https://elsewhere.test/p/${id}?lang=sw`),
    bindings,
    createExecutionContext(),
  );
  const page = await answer.text();
  const { tags, links } = await readPage(page);
  expect(links.canonical).toBe(`https://patikana.co.tz/p/${id}?lang=sw`);
  expect(tags['og:url']).toBe(`https://patikana.co.tz/p/${id}?lang=sw`);
  expect(tags['og:image']).toMatch(/^https:\/\/patikana\.co\.tz\//);
  expect(page).not.toContain('elsewhere.test');
});
