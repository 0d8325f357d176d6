import { expect, test } from 'vitest';
import type { PostKind } from '#contract/posts.ts';
import { judgeCertain } from '#worker/matching/judge-certain.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { judge, read } from './make-post.ts';

const SAID = 'ina kamba nyekundu yenye maneno ZAWADI MOLLEL 77, imepotea jana stendi ya Mwenge | Mwenge';

/** The verdict on two posts whose authors may have chosen their kinds. */
function confidenceOf(lost: string, found: string, kinds?: { lost: PostKind; found: PostKind }) {
  return judgePair(read(lost), read(found), undefined, kinds).confidence;
}

test.each([
  ['keys and a phone', 'Funguo za gari', 'Samsung A14'],
  ['a phone and a bicycle', 'Samsung A14', 'Baiskeli'],
  ['a bag and a phone', 'Begi jeusi', 'Samsung A14'],
  ['keys and a phone of one serial number', 'Funguo | Serial ABX12345Q,', 'Samsung A14 | Serial ABX12345Q,'],
])('%s of which all else is the same are no sure pair', (_what, lost, found) => {
  expect(judge(`${lost} | ${SAID}`, `${found} | ${SAID}`, 300).confidence).not.toBe('sure');
});

test.each<[what: string, text: string, lost: PostKind, found: PostKind, is: 'sure' | 'possible']>([
  ['of one kind', 'Samsung A14', 'electronics', 'electronics', 'sure'],
  ['of two chosen kinds', 'Samsung A14', 'electronics', 'key', 'possible'],
  ['of two chosen kinds, and a thing that no list knows', 'Zulufuna', 'electronics', 'key', 'possible'],
  ['of which one is under other', 'Samsung A14', 'electronics', 'other', 'sure'],
  ['of a bag and what both say was in it', 'Begi lenye kitambulisho', 'bag', 'document', 'sure'],
  ['of a bag and a chosen kind', 'Zulufuna', 'bag', 'document', 'possible'],
])('the same words %s: “%s” under %s and %s is %s', (_what, text, lost, found, is) => {
  expect(confidenceOf(`${text} | ${SAID}`, `${text} | ${SAID}`, { lost, found })).toBe(is);
});

test('two posts that both name keys and a phone are a sure pair, whichever comes first', () => {
  expect(confidenceOf(`Funguo na simu ya Tecno | ${SAID}`, `Simu ya Tecno na funguo | ${SAID}`)).toBe('sure');
});

test('an identifier and the finder’s word outweigh contrary kinds', () => {
  const [lost, found] = [read(`Funguo | ${SAID}`), read(`Samsung A14 | ${SAID}`)];
  expect(judgeCertain({ is_named: 0, shares_identifier: 1 }, lost, found)?.confidence).toBe('sure');
  expect(judgeCertain({ is_named: 1, shares_identifier: 0 }, lost, found)?.confidence).toBe('sure');
});
