import { expect, test } from 'vitest';
import fixtures from '#tests/bench/matching/fixtures.tsv?raw';
import { guessIsOwner } from '#web/posts/guess-owner.ts';
import { isAboutDocument } from '#web/posts/is-about-document.ts';
import { isAboutPhone } from '#web/posts/is-about-phone.ts';
import { proposesClaim } from '#web/posts/proposes-claim.ts';

test.each([
  'Nimepoteza simu ya Tecno',
  'nmepoteza leseni',
  'Tumepoteza mbuzi wawili',
  'Niliipoteza Mwenge',
  'Nimeibiwa pochi',
  'Nimesahau begi kwenye daladala',
  'Simu yangu imepotea',
  'Kitambulisho kilichopotea',
  'Mtoto amepoteza mdoli',
  'Natafuta pasipoti yangu',
  'Lost black wallet',
  'I’ve lost my passport',
  'Help! my phone is missing',
  'Stolen bicycle',
  'LOST: keys, call me if found',
])('“%s” is of its owner', (title) => expect(guessIsOwner(title)).toBe(true));

test.each([
  'Nimeokota kitambulisho cha NIDA',
  'Niliokota funguo',
  'Tumekiokota stendi',
  'Nimepata pochi',
  'Leseni imeokotwa Ubungo',
  'Kimepatikana kitambulisho cha Juma',
  'Natafuta mwenye funguo hizi',
  'Nani kapoteza simu?',
  'Found: keys',
  'Phone found in a taxi',
  'I found a lost dog',
  'We picked up a purse',
  'Who lost a black bag?',
  'Looking for the owner of this card',
])('“%s” is of its finder', (title) => expect(guessIsOwner(title)).toBe(false));

test.each([
  '',
  'Simu nyeusi ya Tecno',
  'NIDA card',
  'Bag from the lost and found office',
  'Foundation make-up, bag',
  'Kadi haijapatikana',
  'Lost or found? A red bag',
])('“%s” does not say', (title) => expect(guessIsOwner(title)).toBeNull());

test('of the titles that the matching is measured on it reads every sixth or more, and 99 of 100 of those right', () => {
  const titles = fixtures
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [lost = '', found = ''] = line.split('\t').slice(-2);
      return [
        { title: lost.split('|')[0] ?? '', isOwners: true },
        { title: found.split('|')[0] ?? '', isOwners: false },
      ];
    });
  const read = titles.filter(({ title }) => guessIsOwner(title) !== null);
  const right = read.filter(({ title, isOwners }) => guessIsOwner(title) === isOwners);
  expect(read.length).toBeGreaterThan(titles.length / 6);
  expect(right.length).toBeGreaterThan(read.length * 0.99);
});

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
])('“%s” is not', (text) => expect(isAboutPhone(text)).toBe(false));

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
])('“%s” is a document, of which many will say that it is theirs', (title) => {
  expect([isAboutDocument(title), proposesClaim(title)]).toEqual([true, true]);
});

test.each([
  ['Pochi yenye kitambulisho', true],
  ['Wallet with my ID', true],
  ['Simu na leseni', true],
  ['Funguo', false],
  ['Ideal shoes', false],
])('of “%s” the picture is of more than a document, and it proposes a claim: %s', (title, isProposed) => {
  expect([isAboutDocument(title), proposesClaim(title)]).toEqual([false, isProposed]);
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
])('whether many will say that “%s” is theirs: %s', (text, isProposed) => {
  expect(proposesClaim(text)).toBe(isProposed);
});
