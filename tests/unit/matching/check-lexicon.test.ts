import { expect, test } from 'vitest';
import { checkLexicon } from '#scripts/check-lexicon.ts';
import type { CheckedList, Finding } from '#scripts/lexicon/list-lines.ts';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';

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

/** The line goes below those of the list. */
const withLine = (list: CheckedList, line: string) => ({ [list]: `${LISTS[list] ?? ''}\n${line}` });

test('lists without a fault have no finding', () => {
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
])('%s is found, with its line', (_, list, line, says) => {
  expect(check(withLine(list, line))).toEqual([expect.stringContaining(says)]);
});

test.each<[string, CheckedList, string]>([
  ['a word of a thing and of one that is near it', 'things', 'frock | frock, dress | gauni | near dress'],
  ['a word of a thing and of a wider one', 'things', 'frock < dress | frock, dress | gauni |'],
  ['a word of two qualities that may both be true', 'attributes', '[kind: any]\npupils | pupils, school | wanafunzi'],
  ['a quality in the name of a narrower thing', 'things', 'big-net < net | big net | wavu mkubwa |'],
  ["a quality in the thing's own name", 'things', 'cup | cup, small cup | kikombe |'],
  ['what an institution gives out', 'things', 'card | card | kadi | of institution'],
])('%s is no fault', (_, list, line) => {
  expect(check(withLine(list, line))).toEqual([]);
});

test('a word that is two answers to one question gives neither', () => {
  const says = 'error opposites:2 "black" gives no answer: no list knows it, or it means another answer as well.';
  expect(check(withLine('opposites', 'blue, black | big, black | small'))).toEqual([says, says]);
});

test('a word may be said to mean two things', () => {
  const said = withLine('two-meanings', 'dress: compass, dress');
  expect(check({ ...withLine('things', 'compass | compass, dress | dira |'), ...said })).toEqual([]);
});

test('the lists as they are have no error', () => {
  const errors: Finding[] = checkLexicon(readList).filter(({ isError }) => isError);
  expect(errors).toEqual([]);
});
