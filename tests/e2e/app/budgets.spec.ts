import { brotliCompressSync, constants } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { THUMBNAIL_MAX_BYTES } from '#contract/limits.ts';
import { drawPicture } from '#scripts/database/demo-photos.ts';
import { expect, newPerson, test } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';

test.use({ serviceWorkers: 'allow' });

const KB = 1_000;
/**
 * The most bytes that a first visit downloads, compressed with brotli: the page, everything that the page loads except
 * photos, and the service worker.
 */
const BUDGETS: Record<string, number> = {
  '/': 130 * KB,
  '/view-posts': 167 * KB,
  '/login': 151 * KB,
  '/register': 164 * KB,
  // This form also has the finder's contact fields, the question for claimants and the thing's identifier.
  '/create-post': 180 * KB,
  // Authors close their posts on this screen, so it also loads the texts for closing a post.
  '/my-posts': 180 * KB,
  '/communities': 174 * KB,
  '/forgot-password': 162 * KB,
};
/** The brotli quality of a streamed page, such as the home page. Cloudflare compresses a stream less than a file. */
const QUICK_QUALITY = 5;
const QUICK_BUDGET = 145 * KB;
const HTML_BUDGET = 14 * KB;
/** Screens that validate nothing before the first submit, so the schemas load later. */
const WITHOUT_SCHEMAS = ['/', '/view-posts', '/login'];
const COMPRESSED = /html|javascript|css|json|svg|manifest/;

type Loaded = { path: string; text: string; bytes: number; quickBytes: number };

async function visit(page: Page, path: string): Promise<Loaded[]> {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(path, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const own = responses.filter((response) => response.status() === 200 && !response.fromServiceWorker());
  const loaded = await Promise.all(own.map(weigh));
  const worker = await page.request.get('/service-worker.js');
  return [...loaded, { path: '/service-worker.js', text: '', ...compress(await worker.body()) }];
}

type Weights = Pick<Loaded, 'bytes' | 'quickBytes'>;

/**
 * Caches the compressed sizes of files: most files are loaded on several visits, and compressing a file takes longer
 * than loading it.
 */
const compressed = new Map<string, Weights>();

function compress(body: Buffer): Weights {
  const key = body.toString('latin1');
  const known = compressed.get(key);
  if (known) return known;
  const quickly = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK_QUALITY } });
  const weights = { bytes: brotliCompressSync(body).length, quickBytes: quickly.length };
  compressed.set(key, weights);
  return weights;
}

async function weigh(response: Response): Promise<Loaded> {
  const body = await response.body();
  const isCompressed = COMPRESSED.test(response.headers()['content-type'] ?? '');
  const weights = isCompressed ? compress(body) : { bytes: body.length, quickBytes: body.length };
  return { path: new URL(response.url()).pathname, text: body.toString('utf8'), ...weights };
}

/** Files that a visitor's first screens must not load. */
function isUnwanted({ path, text }: Loaded): boolean {
  return path.endsWith('.js') && (/admin|scanner|confetti/.test(path) || text.includes('qr-shaded-region'));
}

function hasSchemas({ text }: Loaded): boolean {
  return text.includes('_zod');
}

/** Each route in English, and the home page also in Swahili, whose texts are larger. */
const VISITS = [...Object.keys(BUDGETS).map((path) => [path, 'en'] as const), ['/', 'sw'] as const];

test('a first visit downloads at most its budget of bytes, and no code of the scanner, the confetti or the administration', async ({
  openAs,
}) => {
  for (const [path, language] of VISITS) {
    const name = `${path} in ${language}`;
    const budget = BUDGETS[path] ?? 0;
    const page = await openAs(null, 'about:blank', { language });
    const loaded = await visit(page, path);
    await page.context().close();
    const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`${name}: ${(total / KB).toFixed(1)} of ${budget / KB} kB in ${loaded.length} files`);
    const files = loaded.map(({ path: file, bytes }) => `${bytes} ${file}`).join('\n');
    expect.soft(total, `${name}:\n${files}`).toBeLessThanOrEqual(budget);
    const unwanted = loaded.filter((file) => isUnwanted(file) || (WITHOUT_SCHEMAS.includes(path) && hasSchemas(file)));
    expect
      .soft(
        unwanted.map(({ path: file }) => file),
        name,
      )
      .toEqual([]);
    const quick = loaded.reduce((sum, { quickBytes }) => sum + quickBytes, 0);
    if (path === '/') expect.soft(quick, name).toBeLessThanOrEqual(QUICK_BUDGET);
  }
});

const PAGES = ['/', '/view-posts', '/login', '/register', '/forgot-password', '/communities'];

test('the HTML of each page has at most 14 kB, including both languages and the styles', async ({ request }) => {
  for (const path of PAGES) {
    // A request with `cors` gets the page as it was built, without the posts that the Worker adds.
    const html = await (await request.get(path, { headers: { 'Sec-Fetch-Mode': 'cors' } })).body();
    expect(html.toString('utf8')).toContain(`data-page="${path}"`);
    expect.soft(brotliCompressSync(html).length, path).toBeLessThanOrEqual(HTML_BUDGET);
    // The inline script requests the app. It is above the inline styles, because a script waits for styles above it.
    expect.soft(html.indexOf('<script>'), path).toBeLessThan(html.indexOf('<style>'));
  }
});

/** How many posts the mocked list contains, each with a thumbnail of the largest allowed size. */
const THUMBNAILS = 20;

async function serveThumbnails(page: Page): Promise<void> {
  const post = { ...(await newPost(await newPerson())), is_mine: false, phone_number: null };
  const posts = Array.from({ length: THUMBNAILS }, (_, at) => ({
    Post: { ...post, id: `${at}`, photos: [photoAt(at)] },
  }));
  await page.route('**/api/posts?*', (route) => route.fulfill({ json: posts }));
  const picture = drawPicture([200, 160, 120], []);
  const body = Buffer.concat([picture, Buffer.alloc(THUMBNAIL_MAX_BYTES - picture.length)]);
  await page.route('**/photos/*', (route) => route.fulfill({ body, contentType: 'image/png' }));
}

function photoAt(at: number) {
  return { id: `${at}`, url: `/photos/${at}`, thumbnail_url: `/photos/${at}-small`, width: 1280, height: 960, alt: '' };
}

for (const savesData of [false, true]) {
  test(`a list of posts loads no thumbnails far below the visible part (data saving: ${savesData})`, async ({
    page,
  }) => {
    const connection = { configurable: true, value: { saveData: savesData } };
    await page.addInitScript((value) => Object.defineProperty(navigator, 'connection', value), connection);
    await serveThumbnails(page);
    // The URL has a query: the HTML of /view-posts without a query contains posts, so the app would not request the
    // mocked list.
    const loaded = await visit(page, '/view-posts?posted_by=finder');
    const thumbnails = loaded.filter(({ path }) => path.startsWith('/photos/')).length;
    const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`/view-posts: ${(total / KB).toFixed(1)} kB with ${thumbnails} of ${THUMBNAILS} thumbnails`);
    await expect(page.getByRole('article')).toHaveCount(THUMBNAILS);
    if (savesData) expect(thumbnails).toBe(0);
    else expect(thumbnails).toBeGreaterThan(0);
    // The last thumbnails are far below the visible part.
    expect(thumbnails).toBeLessThan(THUMBNAILS);
    const photos = thumbnails * THUMBNAIL_MAX_BYTES;
    expect(total - photos).toBeLessThanOrEqual(BUDGETS['/view-posts'] ?? 0);
  });
}
