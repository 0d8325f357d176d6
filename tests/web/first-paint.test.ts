import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { firstPaintScript } from '#scripts/build/first-paint-script.ts';
import { changeLanguage, currentLanguage } from '#web/lib/i18n.ts';

const script = firstPaintScript({
  titles: { en: 'Home', sw: 'Mwanzo' },
  screens: { '/': ['/assets/home.js'], '/view-posts': ['/assets/posts.js'] },
  languages: { en: ['/assets/en.js'], sw: ['/assets/sw.js'] },
  screenTexts: { en: ['/assets/en-screens.js'], sw: ['/assets/sw-screens.js'] },
});

function runScript(path: string): void {
  history.replaceState(null, '', path);
  document.documentElement.setAttribute('data-home', '');
  new Function(script)();
}

function preloaded(): string[] {
  return [...document.head.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href') ?? '');
}

afterEach(async () => {
  for (const link of document.head.querySelectorAll('link')) link.remove();
  history.replaceState(null, '', '/');
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
  'stored %s and a browser of %s: the first paint is in the language that the app then has',
  async (stored, browser, expected) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue([...browser]);
    if (stored) localStorage.setItem('i18nextLng', stored);
    runScript('/');
    expect(document.documentElement.lang).toBe(expected);
    // Without a language i18next asks its detector, as it does when the app starts.
    await i18next.changeLanguage();
    expect(currentLanguage()).toBe(expected);
  },
);

test('the home page keeps its mark and its title, and asks for its own chunks alone', () => {
  localStorage.setItem('i18nextLng', 'sw');
  runScript('/');
  expect(document.documentElement).toHaveAttribute('data-home');
  expect(document.title).toBe('Mwanzo');
  expect(preloaded()).toEqual(['/assets/sw.js', '/assets/home.js']);
});

test('another page loses the mark, and asks for the texts of the screens as well', () => {
  localStorage.setItem('i18nextLng', 'en');
  runScript('/view-posts');
  expect(document.documentElement).not.toHaveAttribute('data-home');
  expect(preloaded()).toEqual(['/assets/en.js', '/assets/en-screens.js', '/assets/posts.js']);
});
