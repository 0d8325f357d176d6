import { expect, test } from 'vitest';
import { wordAlternatives } from '#worker/matching/reading/annotate.ts';
import { readMeasures } from '#worker/matching/reading/read-measures.ts';
import { readAmounts } from '#worker/matching/reading/spoken-numbers.ts';
import { adjectiveStem, nounForms, singularForms, verbStem } from '#worker/matching/words/morphology.ts';
import { phraseShapes, tokenise } from '#worker/matching/words/tokens.ts';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/word-index.ts';
import {
  isSubsequence,
  letterBits,
  mayBeWithin,
  nameLookupKey,
  nameSpellingKey,
} from '#worker/matching/words/word-keys.ts';
import { read } from './make-post.ts';

test('a word of five letters may have one typo, a word of eight letters two', () => {
  expect([4, 5, 7, 8, 20].map(allowedEdits)).toEqual([0, 1, 1, 2, 2]);
});

test.each([
  ['kitten', 'sitting', 3],
  ['pochi', 'pochi', 0],
  ['', 'ab', 2],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['begi', 'beg', 1],
])('“%s” and “%s” are %i typos apart, in either order', (a, b, edits) => {
  expect([boundedEditDistance(a, b, 3), boundedEditDistance(b, a, 3)]).toEqual([edits, edits]);
});

test.each([
  [2, 'kitten', 'sitting'],
  [1, 'ab', 'abcd'],
  [0, 'a', 'b'],
])(
  'boundedEditDistance returns the limit plus one for two words that differ by more typos than the limit %i',
  (limit, a, b) => {
    expect(boundedEditDistance(a, b, limit)).toBe(limit + 1);
  },
);

test.each([
  ['keys', ['key']],
  ['boxes', ['boxe', 'box']],
  ['bodies', ['bodie', 'bodi', 'body']],
  ['knives', ['knive', 'kniv', 'knif', 'knife']],
  ['ties', ['tie']],
  ['glass', []],
  ['gas', []],
  ['key', []],
])('the word “%s” may be the plural of these words: %j', (word, forms) => {
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
])('the word “%s” may be an inflected form of “%s”', (word, form) => {
  expect(nounForms(word)).toContain(form);
});

test.each([
  ['mezani', 'meza'],
  ['kia', 'a'],
  ['mti', 'mimti'],
  ['kasi', 'si'],
  ['begi', 'begi'],
])('the word “%s” is not an inflected form of “%s”', (word, form) => {
  expect(nounForms(word)).not.toContain(form);
});

test('an adjective or a verb is recognised by its stem in the lexicon and a valid Swahili prefix', () => {
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
])('the verb “%s” is recognised by its stem “%s”', (word, stem) => expect(verbStem(word, new Set([stem]))).toBe(stem));

test.each([
  ['hatutakayekupotea', '*potea'],
  ['liwa', '*la'],
  ['ana', '*a'],
])('the word “%s” is not a form of the verb “%s”', (word, stem) => expect(verbStem(word, new Set([stem]))).toBeNull());

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
] as const)('for the language %s, the lexicon stores the phrase “%s” in these forms: %j', (lang, phrase, shapes) => {
  expect(phraseShapes(phrase, lang).map((words) => words.join(' '))).toEqual(shapes);
});

test('tokenise returns each word exactly as the user typed it, and separately the punctuation before the word', () => {
  expect(tokenise("Ng'ombe, mweusi\n(Café) asha's")).toEqual([
    { text: 'ngombe', raw: "Ng'ombe", isCapital: true, gap: '' },
    { text: 'mweusi', raw: 'mweusi', isCapital: false, gap: ',' },
    { text: 'cafe', raw: 'Café', isCapital: true, gap: '\n(' },
    { text: 'asha', raw: "asha's", isCapital: false, gap: ')' },
  ]);
});

test('a word without its vowels is recognised, and so is a name that is spelt with other letters of a similar sound', () => {
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
])(
  'mayBeWithin, called with the letters of “%s” and “%s” and with %i allowed typos, returns %s',
  (a, b, slips, answer) => {
    expect(mayBeWithin(letterBits(a), letterBits(b), slips)).toBe(answer);
    expect(mayBeWithin(letterBits(b), letterBits(a), slips)).toBe(answer);
  },
);

const things = (side: string): string[] => read(side).heads.flatMap((head) => head.ids);
const colours = (side: string): string[] => read(side).heads.flatMap((head) => [...head.colours]);

test.each(['nyeusi', 'mweusi', 'jeusi', 'cheusi', 'weusi', 'meusi', 'vyeusi', 'nyeuc'])(
  'the word “%s” is read as the colour black',
  (word) => {
    expect(colours(`Begi ${word}`)).toEqual(['black']);
  },
);

test.each([
  ['vitambulisho vyangu', 'id-card'],
  ['mikoba miwili', 'handbag'],
  ['mgebuka', 'fish'],
  ['ufunguo', 'keys'],
  ['mabegi', 'bag'],
  ['kipochi', 'purse'],
  ['mbuzi', 'goat'],
  ['vyeti', 'certificate'],
  ['simuyangu', 'phone'],
  ['backpacks', 'backpack'],
])('the typed word “%s” is read as the thing %s', (written, id) => {
  expect(things(written)).toContain(id);
});

test.each([
  'nimepoteza',
  'imepotea',
  'limepotea',
  'nmepoteza',
  'kilipotea',
  'zimepotea',
  'limeokotwa',
  'zimepatikana',
  'nimeokota',
  'kamepotea',
])('“%s” is read as a verb of losing or finding', (verb) => {
  expect(wordAlternatives(verb, 'text').some((form) => form.startsWith('*'))).toBe(true);
});

test.each([
  ['cm yng', 'phone'],
  ['ktambulisho cha taifa', 'nida'],
  ['leseni ya udreva', 'driving-licence'],
  ['umbrela', 'umbrella'],
  ['pchi', 'purse'],
])('the abbreviated or misspelt text “%s” is read as the thing %s', (written, id) => {
  expect(things(written)).toContain(id);
});

test('a word that is unlike every word of the lexicon is not corrected', () => {
  expect(wordAlternatives('xyzzy', 'text')).toEqual([]);
});

test('two neighbouring letters in the wrong order count as one typo, and counting stops above the allowed number of typos', () => {
  expect(boundedEditDistance('pochi', 'pcohi', 2)).toBe(1);
  expect(boundedEditDistance('abcdef', 'uvwxyz', 2)).toBe(3);
});

test('“cover of a phone” is read as the cover, and not as the phone', () => {
  expect(things('kava la simu ya Samsung')).toEqual(['phone-cover']);
  expect(things('Samsung phone charger')).toEqual(['phone-charger']);
  expect(things('funguo za gari')).toEqual(['car-keys']);
  expect(things('keys of a house')).toEqual(['house-keys']);
  expect(things('begi lenye laptop')).toEqual(['bag']);
});

test('a colour is read as the colour of the thing that is named next to the colour word', () => {
  const phone = read('Nimepoteza simu nyeusi | ina kava jekundu | Manzese');
  expect([...(phone.heads[0]?.colours ?? [])]).toEqual(['black']);
  expect(phone.parts.map((part) => [part.ids[0], ...part.colours])).toContainEqual(['phone-cover', 'red']);
});

test('the vehicle in which a thing was left is not read as the thing that was lost', () => {
  expect(things('Nimesahau begi kwenye daladala')).toEqual(['bag']);
  expect(things('Green backpack left on a bus')).toEqual(['backpack']);
});

function measuresOf(text: string) {
  return readMeasures(text).map(({ dimension, value }) => `${Number(value.toFixed(4))} ${dimension}`);
}

test.each([
  ['20 litres', '20 litres'],
  ['20 liters', '20 litres'],
  ['20 ltr', '20 litres'],
  ['lita ishirini', '20 litres'],
  ['20l', '20 litres'],
  ['500 ml', '0.5 litres'],
  ['5 kg', '5 kilograms'],
  ['kilogramu 5', '5 kilograms'],
  ['250 grams', '0.25 kilograms'],
  ['250g', '0.25 kilograms'],
  ['2 tons', '2000 kilograms'],
  ['tani 2', '2000 kilograms'],
  ['2t', '2000 kilograms'],
  ['3 metres', '3 metres'],
  ['mita tatu', '3 metres'],
  ['3m', '3 metres'],
  ['30 cm', '0.3 metres'],
  ['30 mm', '0.03 metres'],
  ['6 feet', '1.8288 metres'],
  ['futi 6', '1.8288 metres'],
  ['32 inch', '0.8128 metres'],
  ['nchi 32', '0.8128 metres'],
  ['5 yards', '4.572 metres'],
  ['100 watts', '100 watts'],
  ['100w', '100 watts'],
  ['2 kw', '2000 watts'],
  ['2 kva', '2000 watts'],
  ['5 hp', '3730 watts'],
  ['12 volts', '12 volts'],
  ['12v', '12 volts'],
  ['20000 mah', '20000 milliampere-hours'],
  ['75 ah', '75000 milliampere-hours'],
  ['64 gb', '64 gigabytes'],
  ['1 tb', '1024 gigabytes'],
  ['3 years', '3 years'],
  ['miaka mitatu', '3 years'],
  ['umri wa miaka 3', '3 years'],
  ['6 months', '0.5 years'],
  ['miezi sita', '0.5 years'],
  ['26 weeks', '0.5 years'],
  ['96 pages', '96 pages'],
  ['kurasa 96', '96 pages'],
  ['2 plates', '2 plates'],
  ['6 strings', '6 strings'],
  ['nyuzi sita', '6 strings'],
  ['size 42', '42 size'],
  ['saizi ya 42', '42 size'],
])('the text “%s” contains the measure %s', (text, measure) => expect(measuresOf(text)).toContain(measure));

test.each(['xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'])(
  'the clothes size “%s” is read as a number that grows with the size',
  (letter) => {
    const at = ['xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'].indexOf(letter);
    expect(readMeasures(`saizi ${letter}`)).toContainEqual({ dimension: 'size', value: 1000 + at, isRough: false });
  },
);

test.each([
  ['size 60', ['60 size']],
  ['size 61', []],
  ['size 1', ['1 size']],
  ['namba 20', ['20 size']],
  ['namba 19', []],
  ['number 7', []],
  ['150 years', ['150 years']],
  ['151 years', []],
  ['0 litres', []],
  ['123456 mah', ['123456 milliampere-hours']],
  ['1234567 mah', []],
])('a measure outside the plausible bounds is ignored: “%s” gives %j', (text, measures) =>
  expect(measuresOf(text)).toEqual(measures),
);

test.each(['2 weeks ago', 'miezi 2 iliyopita', '1 string missing', 'nyuzi 2 zimekatika'])(
  'the number in “%s” (a time since an event, or a count of missing or broken parts) is not read as a measure',
  (text) => expect(measuresOf(text)).toEqual([]),
);

test.each([
  ['about 20 litres', true],
  ['kama lita 20', true],
  ['karibu 20 litres', true],
  ['20 litres', false],
])('the measure that is read from “%s” has the flag isRough with the value %s', (text, isRough) =>
  expect(readMeasures(text)).toEqual([{ dimension: 'litres', value: 20, isRough }]),
);

test.each([
  ['tsh 50,000', [50_000]],
  ['50.000/=', [50_000]],
  ['Shilingi 45000', [45_000]],
  ['500/=', [500]],
  ['499/=', []],
  ['laki 2', [200_000]],
  ['laki mbili', [200_000]],
  ['2 million', [2_000_000]],
  ['milioni', []],
  ['elfu 50', [50_000]],
  ['50 thousand', [50_000]],
  ['elfu kumi na tano', [15_000]],
  ['elfu sana', []],
  ['elfu 20, laki 3', [20_000, 300_000]],
  ['Tsh 1.5 million', [1_500_000]],
  ['tsh 2 milioni', [2_000_000]],
  ['2.5 million', [2_500_000]],
  ['milioni 1.2', [1_200_000]],
  ['laki mbili na elfu hamsini', [250_000]],
  ['Elfu 20 na laki 3', [320_000]],
  ['milioni moja na laki tano', [1_500_000]],
  ['elfu mia moja', [100_000]],
  ['elfu mia mbili na hamsini', [250_000]],
  ['laki moja na nusu', [150_000]],
])('the text “%s” contains the sums of money %j, in shillings', (text, amounts) =>
  expect(readAmounts(text).amounts).toEqual(amounts),
);

test('the word “pesa” (money) replaces each sum of at least 500 shillings in a text', () => {
  expect(readAmounts('pochi yenye 50,000/= na kadi').rest.replace(/ +/g, ' ')).toBe('pochi yenye pesa na kadi');
  expect(readAmounts('ina elfu hamsini na kadi, laki 2 na simu').rest.replace(/ +/g, ' ')).toBe(
    'ina pesa na kadi, pesa na simu',
  );
  expect(readAmounts('ina 499/= tu').rest).toBe('ina 499/= tu');
});
