import '#tests/web/support/setup.ts';
import { act, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { changeLanguage, currentLanguage, startI18n } from '#web/lib/i18n.ts';
import { forgetFailures, type Late, late } from '#web/lib/late.ts';
import { useOwnTitle, useTitle } from '#web/lib/title.ts';
import { LatePart } from '#web/ui/late.tsx';

describe('translated texts', () => {
  beforeEach(() => changeLanguage('en'));

  test('an Arabic title inside a sentence gets marks that isolate its text direction; other titles stay unchanged', () => {
    expect(i18next.t('common:pendingSent', { title: 'محفظة 5' })).toBe('Posted: \u2068محفظة 5\u2069');
    expect(i18next.t('common:pendingSent', { title: '<b>Pochi</b> & kadi' })).toBe('Posted: <b>Pochi</b> & kadi');
  });

  test.each(['{title}', '$t(common:home)', '{-title}'])(
    'the translation syntax %s in a user’s text is shown unchanged inside a sentence',
    (title) => {
      expect(i18next.t('common:pendingSent', { title })).toBe(`Posted: ${title}`);
    },
  );

  test.each([
    ['en', 0, 'Notices'],
    ['en', 1, 'Notices: 1 unread'],
    ['en', 2, 'Notices: 2 unread'],
    ['sw', 0, 'Arifa'],
    ['sw', 1, 'Arifa: 1 haijasomwa'],
    ['sw', 12, 'Arifa: 12 hazijasomwa'],
  ] as const)('in language “%s” the bell’s label with %d unread notices is “%s”', async (language, count, sentence) => {
    await changeLanguage(language);
    expect(i18next.t('common:bell', { count })).toBe(sentence);
  });

  test('a text key that does not exist is a compile error, and throws in tests', () => {
    // @ts-expect-error The namespace has no such key.
    expect(() => i18next.t('common:noSuchText')).toThrow('noSuchText');
    // @ts-expect-error A translator for one namespace has no keys of another.
    expect(() => i18next.getFixedT('en', 'common')('forgotTitle')).toThrow('forgotTitle');
  });

  /** Holds back the Swahili texts of a namespace until `arrive` is called. */
  async function delaySwahili(namespace: string) {
    await changeLanguage('en');
    i18next.removeResourceBundle('sw', namespace);
    const { promise: network, resolve: arrive } = Promise.withResolvers<void>();
    vi.resetModules();
    vi.doMock(`#locales/sw/${namespace}.json`, async (importOriginal) => {
      await network;
      return importOriginal();
    });
    onTestFinished(() => void vi.doUnmock(`#locales/sw/${namespace}.json`));
    return { arrive, i18n: await import('#web/lib/i18n.ts') };
  }

  test('a screen opened while a language loads has its texts in that language', async () => {
    const { arrive, i18n } = await delaySwahili('common');
    for (const language of ['en', 'sw']) i18next.removeResourceBundle(language, 'posts');
    const changing = i18n.changeLanguage('sw');
    await i18n.loadTexts('posts');
    expect(i18n.currentLanguage()).toBe('en');
    arrive();
    await changing;
    expect(i18next.t('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
  });

  test('if the language changes while a screen’s texts load, the texts arrive in the new language', async () => {
    const { arrive, i18n } = await delaySwahili('posts');
    for (const language of ['en', 'sw']) i18next.removeResourceBundle(language, 'posts');
    const loading = i18n.loadTexts('posts');
    const changing = i18next.changeLanguage('sw');
    arrive();
    await Promise.all([loading, changing]);
    expect(i18next.t('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
  });
});

const Part: ComponentType = () => <p>The part</p>;

function Screen({ own }: { own?: string }) {
  useTitle('Posts');
  return <Post title={own} />;
}

function Post({ title }: { title: string | undefined }) {
  useOwnTitle(title);
  return null;
}

describe('lazily loaded code', () => {
  afterEach(() => changeLanguage('en'));

  test('that failed to load is requested again only after a call of forgetFailures()', async () => {
    const fetchPart = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
    fetchPart.mockResolvedValue('The code');
    const part: Late<string> = late(fetchPart);
    await expect(part.load()).rejects.toThrow('Failed to fetch');
    await expect(part.load()).rejects.toThrow('Failed to fetch');
    expect(part.get()).toBeNull();
    forgetFailures();
    await expect(part.load()).resolves.toBe('The code');
    expect([part.get(), fetchPart.mock.calls.length]).toEqual(['The code', 2]);
  });

  const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

  test('that failed to load leaves its place on the screen empty until the network returns', async () => {
    const load = vi.fn<() => Promise<ComponentType>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
    load.mockResolvedValue(Part);
    const part = late(load);
    const { rerender, unmount } = render(<LatePart part={part} isWanted={false} />);
    await goOnline();
    expect(load).not.toHaveBeenCalled();
    rerender(<LatePart part={part} />);
    await act(async () => undefined);
    expect(screen.queryByText('The part')).toBeNull();
    await goOnline();
    expect(screen.getByText('The part')).toBeInTheDocument();
    await goOnline();
    expect(load).toHaveBeenCalledTimes(2);
    unmount();
  });

  test('that failed to load is not requested again after its screen was closed', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    const { unmount } = render(<LatePart part={late(load)} />);
    unmount();
    await goOnline();
    expect(load).toHaveBeenCalledTimes(1);
  });
});

describe('the language and the title of the page', () => {
  afterEach(() => changeLanguage('en'));

  test('a chosen language becomes the page’s language and is stored for the next visit', async () => {
    await changeLanguage('sw');
    expect([currentLanguage(), document.documentElement.lang, localStorage.getItem('i18nextLng')]).toEqual([
      'sw',
      'sw',
      'sw',
    ]);
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    onTestFinished(() => full.mockRestore());
    await changeLanguage('en');
    expect([currentLanguage(), document.documentElement.lang]).toEqual(['en', 'en']);
  });

  test.each([
    ['sw', 'sw'],
    ['en', 'en'],
    ['fr', 'en'],
    ['', 'en'],
  ])('a page whose inline script chose the language %j starts in the language “%s”', async (chosen, language) => {
    document.documentElement.lang = chosen;
    await startI18n();
    expect(currentLanguage()).toBe(language);
  });

  test('the browser tab shows the screen’s title, unless the screen’s content has its own title', () => {
    const { rerender, unmount } = render(<Screen />);
    expect(document.title).toBe('Posts · Patikana');
    rerender(<Screen own="Funguo" />);
    expect(document.title).toBe('Funguo · Patikana');
    rerender(<Screen own="Pochi" />);
    expect(document.title).toBe('Pochi · Patikana');
    unmount();
    expect(document.title).toBe('Posts · Patikana');
  });
});
