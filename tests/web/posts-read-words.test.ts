import { expect, test } from 'vitest';
import { findLikelyDetails, isAboutDocument, isAboutPhone, isWantedByMany } from '#web/posts/read-words.ts';

test.each([
  'Nimepoteza simu',
  'Simu ndogo ya batani',
  'cm yangu imepotea',
  'Laini ya Airtel',
  'SIM card',
  'Voda line',
  'My iPhone',
  'Tecno Spark 10',
  'Infinix Hot 30, kava la bluu',
  'itel nyeupe',
  'Nokia',
  'Samsung A12',
  'Begi\nndani kuna simu na pesa',
  'Lost phone and charger',
  'Phone, cracked screen',
])('“%s” is about a phone or a SIM card', (text) => expect(isAboutPhone(text)).toBe(true));

test.each([
  'Funguo',
  'Kishikwambi cha Samsung',
  'Samsung tablet, black',
  'Samsung TV',
  'Chaja ya simu',
  'Kava la simu',
  'iPhone charger',
  'Phone cover',
  'Earphones nyeupe',
  'Pochi nyeusi\nTafadhali piga simu 0712345678',
  'Pochi\nnipigie simu',
  'Pochi\nNamba ya simu 0712 345 678',
  'Pochi\nSimu: 0712345678',
  'Wallet\nmy phone number is 0712345678',
  'Pochi\ncall me, a phone call is enough',
  'Simba toy',
  'Microphone',
])('“%s” is not about a phone or a SIM card', (text) => expect(isAboutPhone(text)).toBe(false));

test.each([
  'Kitambulisho cha Juma',
  'Vyeti vya shule',
  'Kadi ya benki',
  'Kadi ya mpiga kura',
  'NIDA',
  'Passport',
  'Birth certificate',
  'ATM',
  'Bank card',
  'Student ID',
  'My ID, please help',
  'Lost IDs',
])('“%s” is a document that many people want', (title) => {
  expect([isAboutDocument(title), isWantedByMany(title)]).toEqual([true, true]);
});

test.each([
  ['Pochi yenye kitambulisho', true],
  ['Wallet with my ID', true],
  ['Simu na leseni', true],
  ['Funguo', false],
  ['Ideal shoes', false],
])('a picture of “%s” shows more than a document, and many people want the thing: %s', (title, isWanted) => {
  expect([isAboutDocument(title), isWantedByMany(title)]).toEqual([false, isWanted]);
});

test.each([
  ['Laptop ya HP', true],
  ['Kishikwambi', true],
  ['Power bank', true],
  ['EARPODS', true],
  ['Smart watch', true],
  ['Redio ndogo', true],
  ['Tecno nyeusi', true],
  ['Mwavuli', false],
  ['Kofia ya tv', true],
  ['Viatu', false],
])('many people want “%s”: %s', (text, isWanted) => {
  expect(isWantedByMany(text)).toBe(isWanted);
});

test.each([
  ['Nimeokota kitambulisho cha NIDA', ['identifier']],
  ['Black Tecno phone', ['identifier']],
  ['Laptop ya HP', ['identifier']],
  ['Pikipiki aina ya Boxer', ['identifier']],
  ['Gari langu jeupe limeibiwa', ['identifier']],
  ['Kibao\nnamba ya gari T 123 ABC', ['identifier']],
  ['Begi la shule\nnimelipeleka kituo cha polisi', ['kept_at']],
  ['Keys\nI left them with the guard', ['kept_at']],
  ['Miwani\nnatangaza kwa niaba ya bibi', ['on_behalf']],
  ['My mother lost her glasses', ['on_behalf']],
  ['Rafiki yangu amepoteza kofia', ['on_behalf']],
  ['Leseni ya baba yangu\niko ofisini', ['identifier', 'kept_at', 'on_behalf']],
] as const)('“%s” makes likely: %j', (text, likely) => expect(findLikelyDetails(text)).toEqual(likely));

test.each([
  'Funguo za gari',
  'Car keys',
  'Begi nyeusi\nnililiacha kwenye daladala',
  'Mwavuli\nI left it in a car',
  'Kofia ya pikipiki',
  'Mbuzi wangu',
  'Koti la mtoto',
  '',
])('“%s” makes no field likely', (text) => expect(findLikelyDetails(text)).toEqual([]));
