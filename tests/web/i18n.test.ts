import i18next from 'i18next';
import { expect, test, vi } from 'vitest';

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
  const { changeLanguage, loadScreenTexts } = await import('#web/lib/i18n.ts');
  const changing = changeLanguage('sw');
  await loadScreenTexts();
  arrive();
  await changing;
  expect(i18next.t('posts:discoverTitle')).toBe('Tafuta vitu vilivyopotea');
});
