import i18next from 'i18next';
import { expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';

test('Arabic words keep to themselves in a sentence, and others stay as they are', async () => {
  await changeLanguage('en');
  expect(i18next.t('common:pendingSent', { title: 'محفظة 5' })).toBe('Posted: \u2068محفظة 5\u2069');
  expect(i18next.t('common:pendingSent', { title: '<b>Pochi</b> & kadi' })).toBe('Posted: <b>Pochi</b> & kadi');
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
  const changing = i18n.changeLanguage('sw');
  await i18n.loadScreenTexts();
  arrive();
  await changing;
  expect(i18next.t('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
});
