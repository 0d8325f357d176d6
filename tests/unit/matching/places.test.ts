import { expect, test } from 'vitest';
import { comparePlaces } from '#worker/matching/judging/compare-places.ts';
import { read } from './make-post.ts';

const points = (lost: string, found: string): number =>
  comparePlaces(read(`x | | ${lost}`).places, read(`x | | ${found}`).places).points;

test.each([
  ['Gongo la Mboto', 'G/Mboto mwisho'],
  ['mbezi mwisho', 'Mbezi Luis'],
  ['Kkoo', 'Kariakoo, Dar es Salaam'],
  ['UDSM', 'University of Dar es Salaam'],
  ['Manzese Tip Top', 'Manzese'],
  ['Moro', 'Morogoro mjini'],
  ['Karikoo', 'Kariakoo'],
  ['Zenji', 'Unguja'],
  ['Majengo, Moshi', 'Moshi'],
])('%s and %s are one place', (lost, found) => {
  expect(points(lost, found)).toBeGreaterThanOrEqual(0.45);
});

test.each([
  ['Moshi', 'Zanzibar'],
  ['Arusha', 'Mwanza'],
  ['Majengo, Moshi', 'Majengo, Dodoma'],
  ['Kariakoo', 'Chanika'],
  ['Tabata', 'Tabora'],
])('%s and %s contradict each other', (lost, found) => {
  expect(points(lost, found)).toBeLessThanOrEqual(-0.8);
});

test('a thing may turn up at the other end of the route', () => {
  const lost = read('Begi | Lilibaki kwenye daladala ya Mbagala-Kariakoo | Mbagala').places;
  expect(comparePlaces(lost, read('Bag | | Kariakoo').places).points).toBeGreaterThan(0.3);
});

test('a road that is named after a town far away contradicts nothing', () => {
  expect(points('Police barracks, Kilwa Road', 'Kurasini')).toBe(0);
  expect(points('barabara ya Kilwa', 'Kurasini')).toBe(0);
  expect(points('Kilwa', 'Kurasini')).toBeLessThan(-1);
});

test('an unknown place shared by both counts, and an unknown place alone says nothing', () => {
  expect(points('kwa Mzee Mchungaje', 'Kwa mzee Mchungaje')).toBeGreaterThan(0);
  expect(points('Kitongoji cha Mlabani', 'Kariakoo')).toBe(0);
});
