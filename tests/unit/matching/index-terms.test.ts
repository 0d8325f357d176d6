import { expect, test } from 'vitest';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { nearCells, ownCells } from '#worker/matching/place-cells.ts';
import { read } from './make-post.ts';

const RICH =
  'Begi la bluu, jekundu na jeusi la Nike na Adidas | AC1234567, BC7654321, DC1112223, EC9998887; laptop ya HP, funguo, jina Asha Juma Omari na Rehema Said Ally | Sinza, Mwenge, Ubungo na Kariakoo';
const PLAIN =
  'Begi na mwavuli | lina funguo, nguo, kitabu; zulufuna abekodi lamitoru gopesuna dofikela | Sinza kwa Zebuki Wamore Tolifa';

/** What a term is made of, in the order of its parts. */
function kindOf(term: string): string {
  return term
    .split('|')
    .map((part) => {
      if (part.startsWith('#')) return 'number';
      if (/^[nw]:/.test(part)) return part.startsWith('n') ? 'name' : 'word';
      if (part.startsWith('@')) return 'cell';
      if (/^[=^]/.test(part)) return 'thing';
      if (part.startsWith('~')) return 'family';
      if (/^(?:concept|thing|attribute|brand) /.test(part)) return 'detail';
      return /^[A-Z].*, |^Dar es Salaam$/.test(part) ? 'place' : 'feature';
    })
    .join(' ');
}

function tally(terms: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of terms.map(kindOf)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

test('no kind of term crowds out the others, whatever a post is full of', () => {
  expect(tally(indexTerms(read(RICH)))).toMatchObject({
    number: 3,
    name: 4,
    'place family feature': 5,
    'feature cell family': 3,
    'family feature': 2,
    'thing thing': 2,
  });
  expect(tally(indexTerms(read(RICH)))['place detail']).toBeGreaterThanOrEqual(10);
  expect(tally(lookupTerms(read(RICH)))).toMatchObject({
    number: 2,
    name: 3,
    'place family feature': 3,
    'feature cell family': 1,
  });
  expect(tally(lookupTerms(read(RICH)))['place detail']).toBeGreaterThanOrEqual(5);
});

test('what is left over fills up, the most selective kinds first', () => {
  expect(indexTerms(read(PLAIN))).toHaveLength(52);
  const kinds = [...new Set(indexTerms(read(PLAIN)).map(kindOf))];
  expect(kinds).toEqual(
    expect.arrayContaining(['place thing', 'place word', 'word thing', 'cell family', 'word', 'word family']),
  );
  const lookedUp = lookupTerms(read(PLAIN)).map(kindOf);
  expect(lookedUp).toHaveLength(26);
  expect(tally(lookupTerms(read(PLAIN))).word).toBeGreaterThanOrEqual(3);
});

test('a post without a known thing is found by the words of its title, and by no more than five', () => {
  const terms = indexTerms(read('Zulufuna abekodi | nudavisa gopesuna dofikela habumoti'));
  expect(terms.map(kindOf)).toEqual(Array(5).fill('word'));
  expect(terms[0]).toBe('w:zlfn');
});

test('a narrower thing is found under the wider one, which finds it in turn', () => {
  expect(indexTerms(read('NIDA | | Sinza'))).toEqual(
    expect.arrayContaining(['Sinza, Ubungo|^nida', 'Sinza, Ubungo|^id-card']),
  );
  expect(indexTerms(read('NIDA | | Sinza'))).not.toContain('Sinza, Ubungo|=id-card');
  expect(lookupTerms(read('NIDA | | Sinza'))).toEqual(
    expect.arrayContaining(['Sinza, Ubungo|^nida', 'Sinza, Ubungo|=id-card']),
  );
  expect(lookupTerms(read('Kitambulisho | | Sinza'))).toContain('Sinza, Ubungo|^id-card');
  expect(lookupTerms(read('Pochi | | Sinza'))).toContain('Sinza, Ubungo|=wallet');
});

test('a name is found by any two of its parts and by the first, an initial by none', () => {
  const names = (owner: string): string[] =>
    lookupTerms(read(`Kadi | | kwetu | ${owner}`)).filter((term) => term.startsWith('n:'));
  expect(names('Asha Juma Mushi')).toEqual(['n:as+jm', 'n:as+ms', 'n:jm+ms', 'n:as']);
  expect(names('Asha')).toEqual(['n:as']);
  expect(names('A. Juma')).toEqual(['n:jm']);
});

test('a number is found by its last four characters', () => {
  expect(indexTerms(read('Kadi | AC1234567 | kwetu'))).toContain('#4567');
  expect(lookupTerms(read('Kadi | ending 4567 | kwetu'))).toContain('#4567');
});

test('a place that is too large for a cell has none', () => {
  expect(ownCells('Sinza, Ubungo')).toHaveLength(1);
  expect([ownCells('Dar es Salaam'), nearCells('Dar es Salaam'), ownCells('nowhere'), nearCells('nowhere')]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test('of a place the cells around its nearest corner are looked up, its own first', () => {
  const near = nearCells('Sinza, Ubungo');
  expect(new Set(near).size).toBe(4);
  expect(near[0]).toBe(ownCells('Sinza, Ubungo')[0]);
  expect(near).toContain(ownCells('Mwenge, Kinondoni')[0]);
});

/** Whichever of the two comes last finds the other. */
function meet(lost: string, found: string): boolean {
  const [left, right] = [read(lost), read(found)];
  const isFound = (asking: typeof left, other: typeof left): boolean => {
    const stored = new Set(indexTerms(other));
    return lookupTerms(asking).some((term) => stored.has(term));
  };
  return isFound(left, right) && isFound(right, left);
}

test.each([
  ['a detail by another word of one line', 'Zulufuna | with a gourd | Babati', 'Abekodi | kibuyu | Babati'],
  ['what the one is about and the other mentions', 'Begi | | Machame', 'Kubogesa | in a green bag | Machame'],
  ['a colour alone', 'Zulufuna | nyeusi | Goba', 'Abekodi | black | Goba'],
  ['a code', 'Zulufuna | 7C | Kurasini', 'Abekodi | "7C" on it | Kurasini'],
  ['what stands on it', 'Sufuria | MAMA KADIRO | Kisutu', 'Abekodi | painted on it KADIRO | Libya street'],
  ['a village beside its town', 'Begi | zulufuna | Igombe, Mwanza', 'Abekodi | zulufuna | near Igombe'],
  [
    'the town of a name that other towns have too',
    'Ndama | baka | Majengo, Mto wa Mbu',
    'Zulufuna | baka | Mto wa Mbu',
  ],
  ['either end of a way', 'Zulufuna | mbuzi | Zanzibar to Dar', 'Abekodi | goat | Dar'],
  ['the thing and a detail, without a place', 'Thermos | zulufuna |', 'Chupa ya chai | zulufuna | Goba'],
  ['a known word that is the name of a place', 'Thermos | | Nundu', 'Chupa ya chai | | njiani Nundu, Goba'],
])('two posts meet by %s', (_, lost, found) => {
  expect(meet(lost, found)).toBe(true);
});

test('two posts that have nothing in common do not meet', () => {
  expect(meet('Zulufuna | black | Goba', 'Abekodi | red | Goba')).toBe(false);
  expect(meet('Zulufuna | black | Goba', 'Abekodi | black | Babati')).toBe(false);
});
