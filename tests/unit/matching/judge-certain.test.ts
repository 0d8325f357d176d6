import { expect, test } from 'vitest';
import { deriveKind } from '#worker/matching/derive-kind.ts';
import { isPhoneOrSim } from '#worker/matching/is-phone.ts';
import { judgeCertain } from '#worker/matching/judge-certain.ts';
import { otherKind } from '#worker/matching/match-types.ts';
import { makePost, read } from './make-post.ts';

const LOST = read('Simu | | Sinza | Asha Juma');
const FOUND = read('Phone | | Sinza');
const OF_ANOTHER = read('Phone | jina Neema Komba | Sinza | Neema Komba');

test('without a number in both, and without its finder’s word, nothing is certain', () => {
  expect(judgeCertain({ is_named: 0, shares_identifier: 0 }, LOST, FOUND)).toBeNull();
});

test('a number that stands in both makes them a sure pair, above what texts can say', () => {
  const judged = judgeCertain({ is_named: 0, shares_identifier: 1 }, LOST, FOUND);
  expect(judged).toMatchObject({ confidence: 'sure', score: 0.999 });
  expect(judged?.reasons[0]).toEqual({ kind: 'same_identifier' });
  expect(judged?.reasons.map(({ kind }) => kind)).toContain('item');
});

test('where the owners’ names contradict it, a number makes them a possible pair, and the finder’s word a sure one', () => {
  expect(judgeCertain({ is_named: 0, shares_identifier: 1 }, LOST, OF_ANOTHER)?.confidence).toBe('possible');
  expect(judgeCertain({ is_named: 1, shares_identifier: 0 }, LOST, OF_ANOTHER)?.confidence).toBe('sure');
  expect(judgeCertain({ is_named: 1, shares_identifier: 1 }, LOST, OF_ANOTHER)?.reasons.slice(0, 2)).toEqual([
    { kind: 'named_by_finder' },
    { kind: 'same_identifier' },
  ]);
});

test('an owner’s post is matched with finders’, and the other way round', () => {
  expect([otherKind('owner'), otherKind('finder')]).toEqual(['finder', 'owner']);
});

test.each([
  ['Simu ya Tecno', true],
  ['Laini ya simu', true],
  ['SIM card', true],
  ['Begi', false],
  ['Begi lenye simu', false],
  ['Kava la simu', false],
  ['Kadi ya benki', false],
  ['Zulufuna', false],
])('%s is reached by a telephone number: %s', (title, is) => {
  expect(isPhoneOrSim(makePost(title) as Parameters<typeof isPhoneOrSim>[0])).toBe(is);
});

test.each([
  ['Kitambulisho', 'document'],
  ['Simu', 'electronics'],
  ['Begi', 'bag'],
  ['Funguo', 'key'],
  ['Viatu', 'wear'],
  ['Mbuzi', 'animal'],
  ['Pikipiki', 'vehicle'],
  ['Mwavuli', 'other'],
  ['Zulufuna', 'other'],
])('%s is put under %s', (title, kind) => expect(deriveKind(makePost(title))).toBe(kind));
