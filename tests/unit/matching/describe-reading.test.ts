import { expect, test } from 'vitest';
import { describeReading } from '#worker/matching/describe-reading.ts';
import { read } from './make-post.ts';

function tellReading(side: string): Record<string, string[]> {
  return Object.fromEntries(describeReading(read(side)).map(({ heading, lines }) => [heading, lines]));
}

test('a reading is told under its headings, in the words of the lists', () => {
  const told = tellReading(
    'Begi jeusi la Nike | Lenye laptop ya HP ya inchi 15 na daftari, lilibaki kwenye daladala Mbagala jana. Namba SN5081234, kiti namba 12, Tsh 50,000, Jangwani Girls, maandishi "Mwanahamisi Kondo", alama MK | Kariakoo, kwa Mchungaje | Asha Juma',
  );
  expect(told).toMatchObject({
    Thing: [
      expect.stringMatching(/^backpack \(begi la mgongoni\) or travel bag \(begi la safari\), black \(nyeusi\), Nike/),
    ],
    'In it or on it': expect.arrayContaining(['laptop (laptop), HP, number 15', 'notebook (daftari)']),
    'Where it was, on what': ['daladala (daladala) or minibus (daladala)'],
    Names: ['asha juma (said)', 'mwanahamisi kondo (seen)'],
    'Schools, firms, offices': ['Jangwani Girls'],
    'Places of the location': ['Kariakoo, Ilala'],
    'Places in the text': ['Mbagala, Temeke', 'Jangwani Girls, Ilala'],
    'Words of the location that no list knows': ['mchungaje'],
    Numbers: ['serial: 5N5081234'],
    Values: ['seat: 12', 'initials: mk', 'letters: mk'],
    Measures: ['0.381 metres'],
    Money: ['TSh 50,000'],
    Day: ['2026-11-09 to 2026-11-09'],
    'Written on it': ['mwanahamisi', 'kondo'],
    'Other meanings': expect.arrayContaining(['inch (inchi)', "owner's mark (alama ya mwenyewe)"]),
    Details: expect.arrayContaining(['thing bag / concept g:bag / concept g:school bag', 'number 15']),
    'Stored under': expect.arrayContaining(['#1234', 'Kariakoo, Ilala|^backpack']),
    'Looked up under': expect.arrayContaining(['#1234', 'Kariakoo, Ilala|^backpack']),
  });
});

test('a place with several meanings, a number of things and what they are of are told, too', () => {
  expect(tellReading('Mbuzi watatu | | Majengo')).toMatchObject({
    Thing: [expect.stringMatching(/, × 3/)],
    'Places of the location': [expect.stringMatching(/^Majengo.* or Majengo/)],
  });
  expect(tellReading('Tairi la pikipiki | | Goba').Thing).toEqual([
    expect.stringMatching(/of motorcycle \(pikipiki\)/),
  ]);
});

test('a make that no list knows is told', () => {
  expect(tellReading('Friji ya Zebumi | | Goba').Makes).toEqual(['zebumi']);
});

test('what is not found is left out, and of a thing that no list knows its qualities are told', () => {
  const told = tellReading('Zulufuna nyeusi');
  expect(told).toMatchObject({
    'Said of a thing that no list knows': ['black (nyeusi)'],
    'Words that no list knows': ['zulufuna'],
  });
  expect(Object.keys(told)).not.toContain('Thing');
  expect(Object.keys(told)).not.toContain('Day');
  expect(Object.keys(tellReading('Begi jeusi'))).not.toContain('Said of a thing that no list knows');
});
