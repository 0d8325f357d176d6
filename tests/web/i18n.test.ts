import { expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { addNamespace, translate, translatorIn } from '#web/lib/translate.ts';

test('Arabic words keep to themselves in a sentence, and others stay as they are', async () => {
  await changeLanguage('en');
  expect(translate('common:pendingSent', { title: 'محفظة 5' })).toBe('Posted: \u2068محفظة 5\u2069');
  expect(translate('common:pendingSent', { title: '<b>Pochi</b> & kadi' })).toBe('Posted: <b>Pochi</b> & kadi');
});

test.each([
  ['en', 0, 'Notices'],
  ['en', 1, 'Notices: 1 unread'],
  ['en', 2, 'Notices: 2 unread'],
  ['sw', 0, 'Taarifa'],
  ['sw', 1, 'Taarifa: 1 haijasomwa'],
  ['sw', 12, 'Taarifa: 12 hazijasomwa'],
] as const)('in %s a count of %d chooses its form: %s', async (language, count, sentence) => {
  await changeLanguage(language);
  expect(translate('common:bell', { count })).toBe(sentence);
});

test('a text without plural forms, in a group, or in another namespace is found', async () => {
  await changeLanguage('en');
  addNamespace('en', 'things', { kinds: { key: '{count} of {what}, {what}' } });
  expect(translate('things:kinds.key', { count: 3, what: '{count}' })).toBe('3 of {count}, {count}');
  expect(translatorIn('en', 'common')('things:kinds.key' as never, {})).toBe(' of , ');
});

test('a text that is not loaded yet is its key', () => {
  expect(translatorIn('sw', 'admin')('columns.posts')).toBe('columns.posts');
  // @ts-expect-error The compiler knows every key.
  expect(translatorIn('en', 'common')('noSuchText')).toBe('noSuchText');
  // @ts-expect-error And which namespaces were asked for.
  expect(translatorIn('en', 'common')('admin:tabs')).toBe('tabs');
});

test('a screen opened while a language is on its way has its texts in that language', async () => {
  let arrive = () => {};
  const network = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  vi.resetModules();
  vi.doMock('#web/locales/sw/first.ts', async (importOriginal) => {
    await network;
    return importOriginal();
  });
  const i18n = await import('#web/lib/i18n.ts');
  const { translate: translateAnew } = await import('#web/lib/translate.ts');
  const changing = i18n.changeLanguage('sw');
  await i18n.loadScreenTexts();
  arrive();
  await changing;
  expect(translateAnew('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
});
