import { expect, test } from 'vitest';
import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';

const word = (...reasons: object[]) => wordReasons(JSON.stringify(reasons));

test.each([
  [
    { kind: 'item', key: 'thing phone' },
    { kind: 'item', en: 'phone', sw: 'simu' },
  ],
  [
    { kind: 'colour', key: 'colour black' },
    { kind: 'colour', en: 'black', sw: 'nyeusi' },
  ],
  [
    { kind: 'name', text: 'Asha Juma' },
    { kind: 'name', en: 'Asha Juma', sw: 'Asha Juma' },
  ],
  [
    { kind: 'date', day: '2026-11-05' },
    { kind: 'date', en: '5 November', sw: '5 Novemba' },
  ],
])('%j is worded when it is answered', (stored, worded) => {
  expect(word(stored)).toEqual([worded]);
});

test('an entry that the lists no longer have is left out', () => {
  expect(word({ kind: 'item', key: 'thing gone-for-good' }, { kind: 'item', key: 'nothing' })).toEqual([]);
});
