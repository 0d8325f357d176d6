import i18next from 'i18next';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';

beforeEach(() => changeLanguage('en'));

test('Arabic words in a sentence are isolated, and other words stay unchanged', () => {
  expect(i18next.t('common:pendingSent', { title: 'محفظة 5' })).toBe('Posted: \u2068محفظة 5\u2069');
  expect(i18next.t('common:pendingSent', { title: '<b>Pochi</b> & kadi' })).toBe('Posted: <b>Pochi</b> & kadi');
});

test.each(['{title}', '$t(common:home)', '{-title}'])('%s in a user’s text is shown unchanged', (title) => {
  expect(i18next.t('common:pendingSent', { title })).toBe(`Posted: ${title}`);
});

test.each([
  ['en', 0, 'Notices'],
  ['en', 1, 'Notices: 1 unread'],
  ['en', 2, 'Notices: 2 unread'],
  ['sw', 0, 'Arifa'],
  ['sw', 1, 'Arifa: 1 haijasomwa'],
  ['sw', 12, 'Arifa: 12 hazijasomwa'],
] as const)('in %s the count %d has its plural form: %s', async (language, count, sentence) => {
  await changeLanguage(language);
  expect(i18next.t('common:bell', { count })).toBe(sentence);
});

test('a key without a text is a compile error, and throws in tests', () => {
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

test('a language changed while a screen loads includes that screen’s texts', async () => {
  const { arrive, i18n } = await delaySwahili('posts');
  for (const language of ['en', 'sw']) i18next.removeResourceBundle(language, 'posts');
  const loading = i18n.loadTexts('posts');
  const changing = i18next.changeLanguage('sw');
  arrive();
  await Promise.all([loading, changing]);
  expect(i18next.t('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
});
