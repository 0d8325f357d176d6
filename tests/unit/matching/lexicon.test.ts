import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';
import { buildLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { contentLines, parseEntries, parseSections } from '#worker/matching/lexicon/lexicon-format.ts';

const file = (name: string): string =>
  readFileSync(new URL(`../../../worker/matching/lexicon/${name}.txt`, import.meta.url), 'utf8');

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

test.each(['things', 'colours', 'brands'])('no id stands twice in %s.txt', (name) => {
  expect(repeated(parseEntries(contentLines(file(name)), []).map((entry) => entry.id))).toEqual([]);
});

test('no attribute stands twice', () => {
  const ids = parseSections(file('attributes')).flatMap((section) =>
    parseEntries(section.lines, []).map((entry) => entry.id),
  );
  expect(repeated(ids)).toEqual([]);
});

test('no place stands twice within the same wider place', () => {
  expect(
    repeated(parseEntries(contentLines(file('places')), []).map((entry) => `${entry.id} < ${entry.parent}`)),
  ).toEqual([]);
});

test('no spelling of a name stands on two lines', () => {
  const spellings = file('names')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(',').map((word) => word.trim()))
    .filter((word) => word !== '');
  expect(repeated(spellings)).toEqual([]);
});

test('every wider thing, near thing and "of" exists', () => {
  const { things } = getLexicon();
  const missing = [...things.values()].flatMap((thing) =>
    [...(thing.parent === null ? [] : [thing.parent]), ...thing.near, ...thing.of].filter((id) => !things.has(id)),
  );
  // "institution" and "company" stand for whoever issues a card.
  expect(missing.filter((id) => id !== 'institution')).toEqual([]);
});

test('every wider and near colour exists', () => {
  const { colours } = getLexicon();
  const named = [...colours.values()].flatMap((colour) => [...colour.near, ...(colour.parent ? [colour.parent] : [])]);
  expect(named.filter((id) => !colours.has(id))).toEqual([]);
});

test('every make makes things that exist', () => {
  const { brands, things } = getLexicon();
  const makes = [...brands.values()].flatMap((brand) => brand.makes);
  expect(makes.filter((id) => !things.has(id))).toEqual([]);
});

test('every place lies in a place that exists, and has a position in Tanzania', () => {
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

test('a place lies near the place around it', () => {
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

test('no word is two colours that contradict each other', () => {
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

test('every region of Tanzania is known', () => {
  const regions =
    'Arusha, Dar es Salaam, Dodoma, Geita, Iringa, Kagera, Katavi, Kigoma, Kilimanjaro, Lindi, Manyara, Mara, Mbeya, Morogoro, Mtwara, Mwanza, Njombe, Pwani, Rukwa, Ruvuma, Shinyanga, Simiyu, Singida, Songwe, Tabora, Tanga, Zanzibar, Pemba';
  for (const region of regions.split(', ')) expect(getLexicon().places.get(region)?.size).toBe('region');
});
