import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { speaksOfMoney } from '#worker/claims/money-rules.ts';
import { hideAnyContact } from '#worker/posts/redact-claim.ts';

const [, ...lines] = readFileSync(new URL('fixtures/claim-texts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const TEXTS = lines.map((line) => line.split('\t') as [hidden: 'yes' | 'no', text: string]);
const textsThat = (are: 'yes' | 'no') => TEXTS.filter(([hidden]) => hidden === are).map(([, text]) => text);

test('sixty texts of each kind', () => {
  expect([textsThat('yes').length, textsThat('no').length]).toEqual([60, 60]);
});

test.each(textsThat('yes'))('nobody can be reached by: %s', (text) => {
  const shown = hideAnyContact(text);
  expect(shown).toContain('•••');
  // No more of it is left than what might stand in any text.
  expect(shown.normalize('NFKC').replace(/[^\p{Nd}]/gu, '').length).toBeLessThan(6);
  expect(shown).not.toMatch(/wa\.|t\.me|https?:|@|facebook|instagram|gmail/);
});

test.each(textsThat('no'))('stays as it is: %s', (text) => {
  expect(hideAnyContact(text)).toBe(text);
});

test('what stands around it stays', () => {
  expect(hideAnyContact('Ni changu. Piga 0712 345 678, asante')).toBe('Ni changu. Piga •••, asante');
  expect(hideAnyContact('Ona https://wa.me/255712345678 au njoo')).toBe('Ona ••• au njoo');
  expect(hideAnyContact('Ona www.duka leo')).toBe('Ona ••• leo');
  expect(hideAnyContact('Namba 071234S67B leo')).toBe('Namba ••• leo');
});

test.each([
  'tuma nauli kwanza',
  'Nitumie elfu tano',
  'nitakulipa ukinipa',
  'Lipa kwanza',
  'ulipe kwa M-Pesa',
  'nina hela ya shukrani',
  'send me 5000 first',
  'Pay before I come',
  'There is a small fee',
  'bus fare',
  'Tsh 10,000',
  '5000/=',
  '20k',
  '$ 20',
  'ｐｅｓａ kidogo',
  'airtel \n money',
])('speaks of money: %s', (text) => {
  expect(speaksOfMoney(text)).toBe(true);
});

test.each([
  'Rangi gani?',
  'Nitumie picha yake',
  'Kilipatikana wapi?',
  'Ulipoteza lini?',
  'Ililipuka',
  'What colour is it?',
  'Send me a photo',
  'It is feeding time',
  'Tokyo 20km',
  'mwaka elfu mbili na ishirini',
])('does not speak of money: %s', (text) => {
  expect(speaksOfMoney(text)).toBe(false);
});
