import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkLexicon } from '#scripts/check-lexicon.ts';
import type { CheckedList, Finding } from '#scripts/lexicon/check-entries.ts';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';
import { buildLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { BuiltNode, PhraseNode, Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { packLexicon, unpackLexicon } from '#worker/matching/lexicon/packed-lexicon.ts';
import { contentLines, parseEntries, parseSections } from '#worker/matching/lexicon/read-lists.ts';

const file = (name: string): string =>
  readFileSync(new URL(`../../../worker/matching/lexicon/${name}.txt`, import.meta.url), 'utf8');

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

test.each(['things', 'colours', 'brands'])('no entry id occurs twice in %s.txt', (name) => {
  expect(repeated(parseEntries(contentLines(file(name)), []).map((entry) => entry.id))).toEqual([]);
});

test('no attribute id occurs twice in the list of attributes', () => {
  const ids = parseSections(file('attributes')).flatMap((section) =>
    parseEntries(section.lines, []).map((entry) => entry.id),
  );
  expect(repeated(ids)).toEqual([]);
});

test('the lexicon lists no place twice within the same larger place', () => {
  expect(
    repeated(parseEntries(contentLines(file('places')), []).map((entry) => `${entry.id} < ${entry.parent}`)),
  ).toEqual([]);
});

test('no spelling appears twice in the lexicon’s list of people’s names', () => {
  const spellings = file('names')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(',').map((word) => word.trim()))
    .filter((word) => word !== '');
  expect(repeated(spellings)).toEqual([]);
});

test('if a thing’s entry in the lexicon refers to another thing, the other thing has an entry too', () => {
  const { things } = getLexicon();
  const missing = [...things.values()].flatMap((thing) =>
    [...(thing.parent === null ? [] : [thing.parent]), ...thing.near, ...thing.of].filter((id) => !things.has(id)),
  );
  // "institution" needs no entry: another entry refers to the word only as the issuer of a card.
  expect(missing.filter((id) => id !== 'institution')).toEqual([]);
});

test('if a colour’s entry in the lexicon refers to another colour, the other colour has an entry too', () => {
  const { colours } = getLexicon();
  const named = [...colours.values()].flatMap((colour) => [...colour.near, ...(colour.parent ? [colour.parent] : [])]);
  expect(named.filter((id) => !colours.has(id))).toEqual([]);
});

test('every thing that the lexicon lists for a brand has an entry of its own in the lexicon', () => {
  const { brands, things } = getLexicon();
  const makes = [...brands.values()].flatMap((brand) => brand.makes);
  expect(makes.filter((id) => !things.has(id))).toEqual([]);
});

test('every place of the lexicon is in Tanzania, and the larger place that contains it, if any, is in the lexicon too', () => {
  const { places } = getLexicon();
  const names = new Set([...places.values()].map((place) => place.id));
  for (const place of places.values()) {
    if (place.parent !== null) expect(names, place.id).toContain(place.parent);
    expect(place.latitude, place.id).toBeGreaterThan(-12);
    expect(place.latitude, place.id).toBeLessThan(-0.9);
    expect(place.longitude, place.id).toBeGreaterThan(29);
    expect(place.longitude, place.id).toBeLessThan(41);
  }
});

test('the coordinates of every place in the lexicon are near those of the town or district that contains the place', () => {
  const { places } = getLexicon();
  const far = [...places.values()].filter((place) => {
    const around = places.get(place.parent ?? '');
    if (around?.size !== 'district' && around?.size !== 'town') return false;
    return (
      Math.hypot((place.latitude ?? 0) - (around.latitude ?? 0), (place.longitude ?? 0) - (around.longitude ?? 0)) > 1.2
    );
  });
  expect(far.map((place) => place.id)).toEqual([]);
});

test('no word of the lexicon means two colours that contradict each other', () => {
  const { colours, phrases } = buildLexicon(readList);
  const clashes: string[] = [];
  for (const [word, node] of phrases.next ?? []) {
    const ids = node.senses.filter((sense) => sense.kind === 'colour').map((sense) => sense.id);
    const [first, ...others] = ids;
    for (const other of others) {
      const known = colours.get(first ?? '');
      if (!known?.near.has(other) && known?.parent !== other && colours.get(other)?.parent !== first)
        clashes.push(word);
    }
  }
  expect(clashes).toEqual([]);
});

test('every region of Tanzania is in the lexicon', () => {
  const regions =
    'Arusha, Dar es Salaam, Dodoma, Geita, Iringa, Kagera, Katavi, Kigoma, Kilimanjaro, Lindi, Manyara, Mara, Mbeya, Morogoro, Mtwara, Mwanza, Njombe, Pwani, Rukwa, Ruvuma, Shinyanga, Simiyu, Singida, Songwe, Tabora, Tanga, Zanzibar, Pemba';
  for (const region of regions.split(', ')) expect(getLexicon().places.get(region)?.size).toBe('region');
});

const built = buildLexicon(readList);
const packed = packLexicon(built, 'of this test');
const unpacked = unpackLexicon(packed);

const meanings = (senses: Sense[]): string => senses.map(({ kind, lang, id }) => `${kind} ${lang} ${id}`).join('; ');

/** Returns the phrases that begin with `phrase` and whose meanings differ between the built and the packed lexicon. */
function unlikePhrases(phrase: string, node: BuiltNode, other: PhraseNode | undefined): string[] {
  const isSame = meanings(node.senses) === meanings(other?.senses ?? []);
  const longer = [...(node.next ?? [])].flatMap(([word, next]) =>
    unlikePhrases(`${phrase} ${word}`, next, other?.next?.get(word)),
  );
  return isSame ? longer : [phrase, ...longer];
}

test('every phrase has the same meanings in the packed lexicon as in the lexicon’s text files', () => {
  expect(built.phrases.next?.size).toBeGreaterThan(10_000);
  expect(unlikePhrases('', built.phrases, unpacked.phrases)).toEqual([]);
});

test('the packed lexicon contains the words of the lexicon’s text files in the same order, each with its kinds, such as thing or colour', () => {
  const words = [...built.vocabulary.keys()];
  expect([...unpacked.vocabulary.keys()]).toEqual(words);
  expect(words.filter((word) => unpacked.vocabulary.get(word) !== built.vocabulary.get(word))).toEqual([]);
  expect([...unpacked.adjectiveStems, ...unpacked.verbStems]).toEqual([...built.adjectiveStems, ...built.verbStems]);
});

test.each(['things', 'colours', 'attributes', 'brands', 'concepts', 'opposites', 'places', 'names', 'chat'] as const)(
  'the list “%s” is the same in the packed lexicon as in the lexicon’s text files',
  (list) => {
    expect(unpacked[list]).toEqual(built[list]);
  },
);

test('the packed lexicon finds no meaning for unknown words, nor for built-in property names such as “constructor”', () => {
  for (const word of ['', 'xyzzy', 'constructor', '__proto__']) {
    expect(unpacked.vocabulary.get(word), word).toBeUndefined();
    expect(unpacked.phrases.next?.get(word), word).toBeUndefined();
  }
});

test('the packed file of the lexicon is up to date with the text lists', () => {
  const loaded = getLexicon();
  expect([...loaded.vocabulary.keys()]).toEqual([...built.vocabulary.keys()]);
  expect(loaded.things).toEqual(built.things);
});

const LISTS: Partial<Record<CheckedList, string>> = {
  things: [
    '# things',
    'bag | bag | begi |',
    'net | net | wavu |',
    'fishing-net < net | fishing net | wavu wa samaki |',
    'dog | dog | mbwa | animal',
    'dress | dress | gauni |',
  ].join('\n'),
  colours: 'black | black | nyeusi, -eusi |\nblue | blue | bluu |',
  attributes: '[size: one]\nbig | big | -kubwa, kubwa\nsmall | small | -dogo\n[kind: any]\nschool | school | ya shule',
  brands: 'Jansport | bag | jansport |',
  places: 'Ubungo | ubungo | -6.8, 39.2 | town',
  opposites: 'big | small',
  'glossary/house': '# KITCHEN\nspoon | kijiko | thing',
  'two-meanings': '# none',
};

function check(changed: Partial<Record<CheckedList, string>>): string[] {
  const lists = { ...LISTS, ...changed };
  return checkLexicon((list) => lists[list] ?? '').map(
    ({ list, line, says, isError }) => `${isError ? 'error' : 'warning'} ${list}:${line} ${says}`,
  );
}

/** Adds the line at the end of the list. */
const withLine = (list: CheckedList, line: string) => ({ [list]: `${LISTS[list] ?? ''}\n${line}` });

test('check-lexicon reports nothing about the small, valid lists of this test', () => {
  expect(check({})).toEqual([]);
});

test.each<[string, CheckedList, string, string]>([
  [
    'a misspelt flag of a thing',
    'things',
    'cup | cup | kikombe | comon',
    'error things:7 "cup" has the note "comon", which means nothing',
  ],
  [
    'a misspelt key before an id',
    'things',
    'cup | cup | kikombe | neer bag',
    'error things:7 "cup" has the note "neer bag", which means nothing',
  ],
  [
    'a thing near none that there is',
    'things',
    'cup | cup | kikombe | near mug',
    'error things:7 "cup" says "near mug", and there is no "mug".',
  ],
  [
    'a thing of none that there is',
    'things',
    'lid | lid | kifuniko | of mug',
    'error things:7 "lid" says "of mug", and there is no "mug".',
  ],
  [
    'a wider thing that is none',
    'things',
    'cup < mug | cup | kikombe |',
    'error things:7 "cup" says "< mug", and there is no "mug".',
  ],
  [
    'an opposite that no list knows',
    'opposites',
    'big | tiny',
    'error opposites:2 "tiny" gives no answer: no list knows it, or it means another answer as well.',
  ],
  ['an id that stands twice', 'things', 'bag | sack | gunia |', 'error things:7 "bag" is an entry of line 2 already.'],
  [
    "an animal whose colours would be a thing's",
    'things',
    'big-dog < dog | mastiff | mbwa mkubwa wa ulinzi |',
    'error things:7 "big-dog" is a kind of "dog" without the note "animal"',
  ],
  [
    'a note of a colour',
    'colours',
    'navy | navy | nevi | nearly blue',
    'error colours:3 "navy" has the note "nearly blue", which means nothing',
  ],
  [
    'a colour near none that there is',
    'colours',
    'navy | navy | nevi | near bleu',
    'error colours:3 "navy" says "near bleu", and there is no "bleu".',
  ],
  [
    'a misspelt flag of a place',
    'places',
    'Kimara | kimara | -6.8, 39.1 | twon',
    'error places:2 "Kimara" has the note "twon", which means nothing',
  ],
  [
    'a section that says neither one nor any',
    'attributes',
    '[age: on]',
    'error attributes:6 The section "age" is marked "on" and not "one" or "any".',
  ],
  [
    'a make of nothing',
    'brands',
    'Bata | shoe | bata |',
    'error brands:2 "Bata" makes "shoe", and there is no such thing.',
  ],
  [
    'a word of two things',
    'things',
    'compass | compass, dress | dira |',
    'error things:7 "dress" means two entries that contradict each other, compass, dress.',
  ],
  [
    'a word of two colours',
    'colours',
    'navy | navy | bluu |',
    'error colours:3 "bluu" means two entries that contradict each other, blue, navy.',
  ],
  [
    'a word of two qualities of which one is true',
    'attributes',
    '[size: one]\nhuge | huge, big | jitu',
    'error attributes:7 "big" means two entries that contradict each other, big, huge.',
  ],
  [
    "another kind's name with a colour",
    'things',
    'satchel | black bag | satcheli |',
    'warning things:7 "black bag" of "satchel" is the name of "bag" and the quality "black", which is lost.',
  ],
  [
    "another kind's name with an agreeing adjective",
    'things',
    'satchel | satchel | begi dogo |',
    'warning things:7 "begi dogo" of "satchel" is the name of "bag" and the quality "dogo", which is lost.',
  ],
  ['a glossary line of no class', 'glossary/house', 'fork | uma | thng', 'error glossary/house:3 "thng" is no class'],
  [
    'a glossary line without English',
    'glossary/house',
    ' | uma | thing',
    'error glossary/house:3 "uma" has no English word.',
  ],
  [
    'a glossary line without Swahili',
    'glossary/house',
    'fork | , | thing',
    'error glossary/house:3 "fork" has no Swahili word.',
  ],
  [
    'a glossary line of two columns',
    'glossary/house',
    'fork | uma',
    'error glossary/house:3 "fork | uma" has 2 columns',
  ],
  [
    'a glossary line that stands twice',
    'glossary/house',
    'spoon |  kijiko | thing',
    'error glossary/house:3 "spoon |  kijiko | thing" stands at glossary/house.txt:2 already.',
  ],
  [
    'a glossary line of another list',
    'glossary/land',
    'spoon | kijiko | thing',
    'error glossary/land:2 "spoon | kijiko | thing" stands at glossary/house.txt:2 already.',
  ],
  [
    'an allowance that nothing needs',
    'two-meanings',
    'dira: compass, dress',
    'warning two-meanings:2 "dira: compass, dress" is not needed',
  ],
])('check-lexicon reports this problem with its line number: %s', (_, list, line, says) => {
  expect(check(withLine(list, line))).toEqual([expect.stringContaining(says)]);
});

test.each<[string, CheckedList, string]>([
  [
    'one word for a thing and for another thing that is marked as near',
    'things',
    'frock | frock, dress | gauni | near dress',
  ],
  ['one word for a thing and for a wider thing', 'things', 'frock < dress | frock, dress | gauni |'],
  [
    'one word for two qualities that may both be true',
    'attributes',
    '[kind: any]\npupils | pupils, school | wanafunzi',
  ],
  ['a quality in the name of a narrower thing', 'things', 'big-net < net | big net | wavu mkubwa |'],
  ["a quality in the thing's own name", 'things', 'cup | cup, small cup | kikombe |'],
  ['what an institution gives out', 'things', 'card | card | kadi | of institution'],
])('check-lexicon reports no problem in a word list with this content: %s', (_, list, line) => {
  expect(check(withLine(list, line))).toEqual([]);
});

test('check-lexicon reports a word that is listed for two meanings that exclude each other', () => {
  const says = 'error opposites:2 "black" gives no answer: no list knows it, or it means another answer as well.';
  expect(check(withLine('opposites', 'blue, black | big, black | small'))).toEqual([says, says]);
});

test('check-lexicon accepts a word with two meanings if the list “two-meanings” contains the word', () => {
  const said = withLine('two-meanings', 'dress: compass, dress');
  expect(check({ ...withLine('things', 'compass | compass, dress | dira |'), ...said })).toEqual([]);
});

test('the check of the lexicon finds no errors, such as duplicate words, in the shipped word lists', () => {
  const errors: Finding[] = checkLexicon(readList).filter(({ isError }) => isError);
  expect(errors).toEqual([]);
});
