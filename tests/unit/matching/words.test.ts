import { expect, test } from 'vitest';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/edit-distance.ts';
import { singularForms } from '#worker/matching/words/english-morphology.ts';
import { phraseShapes } from '#worker/matching/words/phrase-tokens.ts';
import { adjectiveStem, nounForms, verbStem } from '#worker/matching/words/swahili-morphology.ts';
import { tokenise } from '#worker/matching/words/tokenise.ts';
import {
  isSubsequence,
  letterBits,
  mayBeWithin,
  nameLookupKey,
  nameSpellingKey,
} from '#worker/matching/words/word-keys.ts';

test('a word of five letters may hold one slip, one of eight two', () => {
  expect([4, 5, 7, 8, 20].map(allowedEdits)).toEqual([0, 1, 1, 2, 2]);
});

test.each([
  ['kitten', 'sitting', 3],
  ['pochi', 'pochi', 0],
  ['', 'ab', 2],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['begi', 'beg', 1],
])('%s and %s are %i slips apart, either way round', (a, b, edits) => {
  expect([boundedEditDistance(a, b, 3), boundedEditDistance(b, a, 3)]).toEqual([edits, edits]);
});

test.each([
  [2, 'kitten', 'sitting'],
  [1, 'ab', 'abcd'],
  [0, 'a', 'b'],
])('beyond a limit of %i it is not said how far', (limit, a, b) => {
  expect(boundedEditDistance(a, b, limit)).toBe(limit + 1);
});

test.each([
  ['keys', ['key']],
  ['boxes', ['boxe', 'box']],
  ['bodies', ['bodie', 'bodi', 'body']],
  ['knives', ['knive', 'kniv', 'knif', 'knife']],
  ['ties', ['tie']],
  ['glass', []],
  ['gas', []],
  ['key', []],
])('%s may be the plural of %j', (word, forms) => {
  expect(singularForms(word)).toEqual(forms);
});

test.each([
  ['vitambulisho', 'kitambulisho'],
  ['simuyangu', 'simu'],
  ['nyumbani', 'nyumba'],
  ['mabegi', 'begi'],
  ['shuleni', 'shule'],
  ['viatu', 'kiatu'],
  ['kiatu', 'viatu'],
  ['vyeti', 'cheti'],
  ['cheti', 'vyeti'],
  ['mikoba', 'mkoba'],
  ['mkoba', 'mikoba'],
  ['mti', 'miti'],
  ['watoto', 'mtoto'],
  ['begi', 'mabegi'],
  ['meno', 'jino'],
  ['macho', 'jicho'],
  ['magonjwa', 'ugonjwa'],
  ['funguo', 'ufunguo'],
  ['ufunguo', 'funguo'],
  ['nyavu', 'wavu'],
  ['nyuzi', 'uzi'],
  ['kijibegi', 'begi'],
  ['vijibegi', 'begi'],
  ['jibegi', 'begi'],
  ['kibegi', 'begi'],
  ['vibegi', 'begi'],
  ['kasimu', 'simu'],
  ['tusimu', 'simu'],
  ['begilako', 'begi'],
  ['kitabuchake', 'kitabu'],
  ['funguozetu', 'funguo'],
  ['mkobawenu', 'mkoba'],
  ['viatuvyao', 'viatu'],
  ['nyumbakwao', 'nyumba'],
])('%s may be a form of %s', (word, form) => {
  expect(nounForms(word)).toContain(form);
});

test.each([
  ['mezani', 'meza'],
  ['kia', 'a'],
  ['mti', 'mimti'],
  ['kasi', 'si'],
  ['begi', 'begi'],
])('%s is none of %s', (word, form) => {
  expect(nounForms(word)).not.toContain(form);
});

test('an adjective or a verb is known by its stem after a prefix that there is', () => {
  const stems = new Set(['-eusi', '*potea']);
  expect(['eusi', 'jeusi', 'mweusi', 'vyeusi'].map((word) => adjectiveStem(word, stems))).toEqual(
    Array(4).fill('-eusi'),
  );
  expect(['xeusi', 'nyyeusi', 'sana'].map((word) => adjectiveStem(word, stems))).toEqual([null, null, null]);
  expect(['potea', 'imepotea', 'haijapotea'].map((word) => verbStem(word, stems))).toEqual(Array(3).fill('*potea'));
  expect(['xpotea', 'poteza', 'po'].map((word) => verbStem(word, stems))).toEqual([null, null, null]);
});

test.each([
  ['chukuliwa', '*chukua'],
  ['pokelewa', '*pokea'],
  ['pikiwa', '*pika'],
  ['letewa', '*leta'],
  ['okotwa', '*okota'],
  ['pikia', '*pika'],
  ['letea', '*leta'],
  ['pikisha', '*pika'],
  ['somesha', '*soma'],
  ['analia', '*lia'],
  ['hatutakakupotea', '*potea'],
])('%s is done by %s', (word, stem) => expect(verbStem(word, new Set([stem]))).toBe(stem));

test.each([
  ['hatutakayekupotea', '*potea'],
  ['liwa', '*la'],
  ['ana', '*a'],
])('%s is not done by %s', (word, stem) => expect(verbStem(word, new Set([stem]))).toBeNull());

test.each([
  ['en', 'house key', ['house key', 'key ya house']],
  ['en', 'red house key', ['red house key', 'key ya red house']],
  ['en', 'big red house key', ['big red house key']],
  ['en', 'key of a house', ['key ya house']],
  ['en', 'my phone', ['phone']],
  ['sw', 'kadi ya benki', ['kadi ya benki', 'kadi benki']],
  ['sw', 'cheti cha ndoa', ['cheti ya ndoa', 'cheti ndoa']],
  ['sw', 'begi la ngozi', ['begi ya ngozi', 'begi ngozi']],
  ['sw', 'funguo za gari', ['funguo ya gari', 'funguo gari']],
  ['sw', 'mkoba wa ngozi', ['mkoba ya ngozi', 'mkoba ngozi']],
  ['sw', 'viatu vya mpira', ['viatu ya mpira', 'viatu mpira']],
  ['sw', 'mahali pa kazi', ['mahali ya kazi', 'mahali kazi']],
  ['en', 'case for glasses', ['case ya glasses']],
  ['sw', 'ya kike', ['ya kike']],
  ['sw', '-kubwa sana', ['-kubwa sana']],
  ['any', 'land cruiser', ['land cruiser']],
] as const)('a phrase in %s, "%s", is looked for as %j', (lang, phrase, shapes) => {
  expect(phraseShapes(phrase, lang).map((words) => words.join(' '))).toEqual(shapes);
});

test('a token keeps what was typed and what stands before it', () => {
  expect(tokenise("Ng'ombe, mweusi\n(Café) asha's")).toEqual([
    { text: 'ngombe', raw: "Ng'ombe", isCapital: true, gap: '' },
    { text: 'mweusi', raw: 'mweusi', isCapital: false, gap: ',' },
    { text: 'cafe', raw: 'Café', isCapital: true, gap: '\n(' },
    { text: 'asha', raw: "asha's", isCapital: false, gap: ')' },
  ]);
});

test('keys of words forgive what hurried writers and other ears change', () => {
  expect(isSubsequence('ktmblsho', 'kitambulisho')).toBe(true);
  expect(isSubsequence('ktx', 'kitambulisho')).toBe(false);
  expect(nameSpellingKey('phillippa')).toBe(nameSpellingKey('filipa'));
  expect(nameLookupKey('mohammed')).toBe(nameLookupKey('muhamedi'));
  expect(nameLookupKey('asha')).not.toBe(nameLookupKey('isha'));
});

test.each([
  ['pochi', 'pocha', 1, true],
  ['pochi', 'pochiu', 1, true],
  ['pochi', 'mocha', 1, false],
  ['pochi', 'mocha', 2, true],
  ['pochi', 'begi', 2, false],
])('by their letters, %s and %s may be within %i slips: %s', (a, b, slips, answer) => {
  expect(mayBeWithin(letterBits(a), letterBits(b), slips)).toBe(answer);
  expect(mayBeWithin(letterBits(b), letterBits(a), slips)).toBe(answer);
});
