import { afterEach, expect, test, vi } from 'vitest';
import { FIRST_POSTS_COME } from '#contract/first-posts.ts';
import { firstPaintScript } from '#scripts/build/first-paint-script.ts';
import { changeLanguage } from '#web/lib/i18n.ts';

const script = firstPaintScript({
  entry: ['/assets/index.js', '/assets/app.js'],
  screens: {
    '/': { code: ['/assets/home.js'], texts: ['home'] },
    '/view-posts': { code: ['/assets/posts.js'], texts: ['posts'] },
    '/posts/:id': { code: ['/assets/post.js'], texts: ['posts'] },
    '/posts/:id/contact': { code: ['/assets/contact.js'], texts: ['posts', 'home'] },
  },
  texts: {
    en: { common: '/assets/common-en.js', home: '/assets/home-en.js', posts: '/assets/posts-en.js' },
    sw: { common: '/assets/common-sw.js', home: '/assets/home-sw.js', posts: '/assets/posts-sw.js' },
  },
  data: { '/view-posts': '/api/posts' },
});

/** Opens a URL, and runs the inline script of its prerendered page. */
function openPage(address: string, { page = '/' } = {}): void {
  history.replaceState(null, '', address);
  document.documentElement.dataset.page = page;
  document.title = '';
  const title = document.querySelector('title');
  title?.setAttribute('data-en', 'Home');
  title?.setAttribute('data-sw', 'Mwanzo');
  new Function(script)();
}

function asked(selector: string): string[] {
  return [...document.head.querySelectorAll(selector)].map((link) => link.getAttribute('href') ?? '');
}

/** Returns the preloaded files, without index.js and app.js, which every page preloads. */
function preloaded(): string[] {
  const files = asked('link[rel=modulepreload]');
  expect(files.slice(0, 2)).toEqual(['/assets/index.js', '/assets/app.js']);
  return files.slice(2);
}

/** Simulates the connection that a browser reports. A browser that reports none counts as slow. */
function connectWithin(rtt: number): void {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { rtt } });
}

const started = () => document.head.querySelectorAll('script[type=module][src="/assets/index.js"]').length;

afterEach(async () => {
  history.replaceState(null, '', '/');
  delete document.documentElement.dataset.page;
  document.documentElement.removeAttribute('data-signed-in');
  document.body.innerHTML = '';
  Reflect.deleteProperty(navigator, 'connection');
  // Runs the callbacks that wait until the page has loaded.
  document.dispatchEvent(new Event('DOMContentLoaded'));
  for (const added of document.head.querySelectorAll('link, script')) added.remove();
  vi.restoreAllMocks();
  await changeLanguage('en');
});

test.each([
  ['sw', ['en-GB'], 'sw'],
  ['en', ['sw-TZ'], 'en'],
  [null, ['sw-TZ', 'en'], 'sw'],
  [null, ['fr-FR', 'sw'], 'sw'],
  [null, ['fr-FR'], 'en'],
  ['fr', ['en-GB', 'sw'], 'en'],
] as const)(
  'with the stored language %s and the browser languages %s, the first paint is in the same language as the app',
  async (stored, browser, expected) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue([...browser]);
    if (stored) localStorage.setItem('i18nextLng', stored);
    openPage('/');
    expect(document.documentElement.lang).toBe(expected);
    // Simulates the app's start on the page.
    vi.resetModules();
    const app = await import('#web/lib/i18n.ts');
    await app.startI18n();
    expect(app.currentLanguage()).toBe(expected);
    expect(localStorage.getItem('i18nextLng')).toBe(expected);
  },
);

test('the prerendered home page at its own URL keeps its content and title, and preloads only its own chunks', () => {
  localStorage.setItem('i18nextLng', 'sw');
  openPage('/');
  expect(document.documentElement.dataset.page).toBe('/');
  expect(document.title).toBe('Mwanzo');
  expect(preloaded()).toEqual(['/assets/common-sw.js', '/assets/home-sw.js', '/assets/home.js']);
  expect(asked('link[as=fetch]')).toEqual([]);
});

test('a prerendered page that is served at another page’s URL removes its own content and title', () => {
  localStorage.setItem('i18nextLng', 'en');
  openPage('/posts/a-post');
  expect(document.documentElement.dataset.page).toBeUndefined();
  expect(document.title).toBe('Patikana');
  expect(preloaded()).toEqual(['/assets/common-en.js', '/assets/posts-en.js', '/assets/post.js']);
});

test.each([
  ['/posts/a-post/contact', ['/assets/posts-en.js', '/assets/home-en.js', '/assets/contact.js']],
  ['/posts', []],
  ['/posts/a-post/else', []],
])('the page at %s preloads only the code of its own screen', (address, chunks) => {
  openPage(address);
  expect(preloaded()).toEqual(['/assets/common-en.js', ...chunks]);
});

test('for a visitor, the list page requests the posts while the list’s JavaScript still loads', () => {
  openPage('/view-posts', { page: '/view-posts' });
  expect(document.documentElement.dataset.page).toBe('/view-posts');
  expect(preloaded()).toEqual(['/assets/common-en.js', '/assets/posts-en.js', '/assets/posts.js']);
  expect(asked('link[rel=preload][as=fetch]')).toEqual(['/api/posts']);
});

test('posts embedded in the page are not requested again', () => {
  document.documentElement.setAttribute('data-first-posts', '');
  openPage('/view-posts', { page: '/view-posts' });
  document.documentElement.removeAttribute('data-first-posts');
  expect(asked('link[as=fetch]')).toEqual([]);
});

test('search results are not requested before the app has loaded', () => {
  openPage('/view-posts?search=simu', { page: '/view-posts' });
  expect(asked('link[as=fetch]')).toEqual([]);
});

test('a signed-in person sees the prerendered home page, but no prerendered list of posts', () => {
  localStorage.setItem('token', 'a-token');
  openPage('/view-posts', { page: '/view-posts' });
  expect(document.documentElement.dataset.page).toBeUndefined();
  expect(asked('link[as=fetch]')).toEqual([]);
  openPage('/');
  expect(document.documentElement.dataset.page).toBe('/');
});

test('until the app has loaded, submitting a form does not leave the page, and the page records the last pressed button', () => {
  openPage('/');
  document.body.innerHTML = `
    <div data-prerendered="en">
      <button type="button" id="menu"><i id="icon"></i></button>
      <form id="form"><input name="password" /><button id="send"></button></form>
    </div>`;
  document.getElementById('icon')?.click();
  // Fires only `mousedown`: if the app replaces the page during a press, the browser fires no `click`.
  document.getElementById('send')?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  expect([...document.querySelectorAll('[data-touched]')].map(({ id }) => id)).toEqual(['send']);
  const submit = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  expect(document.getElementById('form')?.dispatchEvent(submit)).toBe(false);
});

test('a form submitted before the app loads marks its button as busy, unless the form is empty', () => {
  openPage('/');
  document.body.innerHTML = `
    <div data-prerendered="en">
      <form><input id="email" /><button data-busy-label="Sending…"><i></i>Send</button></form>
    </div>`;
  const button = document.querySelector('button');
  button?.click();
  expect(button).toHaveTextContent('Send');
  expect(button).not.toHaveAttribute('aria-busy');
  document.getElementById('email')?.setAttribute('value', 'neema@example.com');
  button?.click();
  button?.click();
  expect(button).toHaveTextContent('Sending…');
  expect(button?.querySelector('i')).not.toBeNull();
  expect(button).toHaveAttribute('aria-busy', 'true');
});

test.each([[undefined], [150], [400]])(
  'the app’s files are requested before the first paint (round trip reported by the browser, in ms: %s)',
  (rtt) => {
    if (rtt !== undefined) connectWithin(rtt);
    openPage('/');
    expect(preloaded()).not.toEqual([]);
    expect(started()).toBe(0);
    document.dispatchEvent(new Event('DOMContentLoaded'));
    expect(started()).toBe(1);
  },
);

test('on a fast connection the first paint does not wait for the app', async () => {
  connectWithin(100);
  openPage('/');
  document.dispatchEvent(new Event('DOMContentLoaded'));
  expect(asked('link[rel=modulepreload]')).toEqual([]);
  await vi.waitFor(() => expect(started()).toBe(1));
  expect(preloaded()).not.toEqual([]);
});

test.each([true, false])(
  'the inline script prepares the formatter for post ages only if the page contains posts (page with posts: %s)',
  async (come) => {
    const made = vi.spyOn(Intl, 'RelativeTimeFormat');
    document.documentElement.toggleAttribute(FIRST_POSTS_COME, come);
    openPage('/view-posts', { page: '/view-posts' });
    document.documentElement.removeAttribute(FIRST_POSTS_COME);
    document.dispatchEvent(new Event('DOMContentLoaded'));
    expect(made).not.toHaveBeenCalled();
    const { promise: isPainted, resolve } = Promise.withResolvers<void>();
    requestAnimationFrame(() => setTimeout(resolve));
    await isPainted;
    expect(made).toHaveBeenCalledTimes(come ? 1 : 0);
  },
);
