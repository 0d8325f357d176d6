import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { points } from './make-post.ts';

/** Two strangers describe one thing in their own words. None of their words may count as a contradiction. */
test.each<[string, Aspect, string, string]>([
  ['a finder’s own trade', 'owner', 'Mbwa | | Njiro | Lilian Mushi', 'Dog | | Njiro | mlinzi'],
  ['a finder’s own shop', 'owner', 'Mbwa | | Njiro | Lilian Mushi', 'Dog | | Njiro | sheli'],
  ['a cue for a last name', 'owner', 'NIDA | | Ilala | Neema Masanja', 'National ID | Surname Masanja | Ilala |'],
  ['an abbreviated name', 'owner', 'Msahafu | | Wete | Zainab Khamis', 'Quran | name Zainab Kh. inside | Wete |'],
  [
    'a name that the other mentions',
    'owner',
    'Rosary | from Lourdes | Ngara | Consolata',
    'Rozari | imeandikwa Lourdes | Ngara |',
  ],
  [
    'an office that has no name',
    'owner',
    'Muhuri | | Wete | Sheha wa Kiuyu Minungwini',
    'Muhuri | jina Kiuyu Minungwini | Wete |',
  ],
  ['a part of a plate', 'owner', 'Pikipiki | | Kilosa | Peter Mgaya', 'Pikipiki | namba inasomeka BQT | Kilosa |'],
  [
    'where the writing is',
    'writing',
    'Solar panel | imeandikwa TUMAINI nyuma | Lindi |',
    'Panel ya sola | Marker writing behind | Lindi |',
  ],
  [
    'what follows the writing',
    'writing',
    'Jackets | MV SALAMA stencilled, washed away | Lindi |',
    'Jackets | marked MV Salama | Lindi |',
  ],
  ['a hyphen in it', 'writing', 'World Vision tablet | tag WVT-0331 | Magu |', 'Tablet | namba WVT 0331 | Magu |'],
  [
    'a translation of it',
    'writing',
    'Kombe | limeandikwa ZAWADI YA HARUSI | Hanang |',
    'Cup | says wedding gift | Hanang |',
  ],
  [
    'initials with and without a dot',
    'writing',
    'Gunia | yameandikwa M.K GEITA | Mwanza |',
    'Bag | Marked MK GEITA | Mwanza |',
  ],
  [
    'one of several missing',
    'denied',
    'Suitcase | 1 wheel missing | Bukoba |',
    'Suitcase | has 3 wheels only | Bukoba |',
  ],
  ['broken off', 'denied', 'Redio | antena imekatika | Geita |', 'Radio | haina antena | Geita |'],
  ['how many strings are gone', 'measures', 'Guitar | one string missing | Moshi |', 'Gitaa | nyuzi tano | Moshi |'],
  ['a hyphen in a model', 'make', 'Casio fx-991 calculator | | Arusha |', 'calculator | casio fx991 | Arusha |'],
  ['a number beside the make', 'make', 'Guitar | Yamaha F310 | Moshi |', 'Gitaa | la yamaha, nyuzi 5 | Moshi |'],
  ['a worn plate', 'number', 'Number plate MC 482 CXR | | Mbulu |', 'Number plate MC 482 CX | | Mbulu |'],
  ['the size of a tyre', 'number', 'Tyre | 265/70R16 | Naberera |', 'Tairi | saizi 265/70/16 | Naberera |'],
  ['the beginning of a code', 'values', 'Pikipiki | STL 2291 | Namtumbo |', 'Pikipiki | STL 22.. | Namtumbo |'],
  [
    'a sentence that begins with I',
    'values',
    'Laptop | 840 G5 | Tegeta |',
    'Laptop on my back seat | I drive a taxi | Tegeta |',
  ],
  ['one key more', 'count', 'Keys | two keys and a small gate key | Mwanza |', 'Funguo | tatu | Mwanza |'],
  [
    'the other of two parts',
    'parts',
    'AirPods | white case, black cover | Masaki |',
    'Airpods | with a black case | Masaki |',
  ],
  [
    'an institution’s short name',
    'issuer',
    'Projector | property of Mkwawa University | Iringa |',
    'Projector | label MUCE | Iringa |',
  ],
  [
    'with what it is written',
    'writing',
    'Gunia | limeandikwa kwa makaa meusi | Mkoani |',
    'Gunia | "Karafuu za Ali" | Mkoani |',
  ],
  [
    'the beginning of a boat’s name',
    'writing',
    'Jackets | imeandikwa MV TUMAINI | Nyasa |',
    'Jackets | says MV TUMAI.., faded | Nyasa |',
  ],
])('%s is no contradiction', (_, aspect, lost, found) => {
  expect(points(aspect, lost, found)).toBeGreaterThan(-0.35);
});

test.each<[string, Aspect, string, string]>([
  [
    'another name on a wallet’s cards',
    'owner',
    'Wallet | licence and bank cards | Nyegezi | Erick Mhagama',
    'Wallet | licence and bank card | Nyegezi | Elias Bugingo',
  ],
  ['a year of birth', 'values', 'NIDA | born 14/03/1999 | Mbalizi |', 'NIDA | mzee wa 1955 | Mbalizi |'],
  ['a power', 'measures', 'Generator | 2.5 kva | Mlele |', 'Jenereta | ya 6.5 kva | Mlele |'],
  [
    'a group’s name after an abbreviation',
    'writing',
    'Sufuria | limeandikwa KANISA MT. RITA | Musoma |',
    'Pot | a big one, it has KANISA MT. ANNA on the lid | Musoma |',
  ],
  ['a town with a ward of that name', 'place', 'Kondoo | | Majengo, Mtwara |', 'Kondoo | | Majengo, Moshi |'],
  ['a make of surveyors', 'make', 'GPS | Leica | Chunya |', 'GPS | Topcon | Chunya |'],
  [
    'a brand on an animal',
    'values',
    "Ng'ombe | chapa MS12 paja la kushoto | Igunga |",
    'Cow | brand on left thigh NG40 | Igunga |',
  ],
  ['a number as a size', 'measures', 'Njumu | no 41 | Tanga |', 'Njumu | saizi 36 | Tanga |'],
  ['how large a mattress is', 'values', 'Godoro | 5x6 | Dodoma |', 'Mattress | 3 by 6 | Dodoma |'],
  ['what a tyre goes on', 'values', 'Spea tairi | 175/65 R14 | Mikese |', 'Spare tyre | 16 inch | Mikese |'],
  ['an animal that is pregnant', 'attributes', 'Male cat | grey | Mikese |', 'Paka | ana mimba | Mikese |'],
  [
    'a size beside the name',
    'opposites',
    'Kinu cha mninga | kikubwa, na mchi wake | Newala |',
    'Kinu kidogo | cha mti | Newala |',
  ],
  [
    'the rest of a boat’s name',
    'writing',
    'Boti | imeandikwa AMANI YA BABA | Kibirizi |',
    'Boat | it has AMANI ZIWANI painted | Kibirizi |',
  ],
])('%s is a contradiction', (_, aspect, lost, found) => {
  expect(points(aspect, lost, found)).toBeLessThan(-0.5);
});

test('a word corrected to a place of the list contradicts nothing if the list has no such place', () => {
  expect(points('place', 'Camera | | Mpembe', 'Camera | | Matemwe')).toBeGreaterThan(-0.3);
});

test('a bus to a town may be anywhere, while a bus stand stays in its town', () => {
  expect(points('place', 'Kapu | | gari ya Makunduchi', 'Kapu | | Kwerekwe')).toBeGreaterThanOrEqual(0);
  expect(points('place', 'Begi | | Mtwara stendi', 'Begi | | Bukoba bus stand')).toBeLessThan(-1);
});

test('a finder may have filled in their own name as the owner’s', () => {
  const owner = (found: string) => points('owner', 'Mbwa | | Njiro | Lilian Mushi', found);
  expect(owner('Dog | | Njiro | Tumaini Massawe')).toBeGreaterThan(-0.5);
  expect(owner('Dog | collar with the name Tumaini Massawe | Njiro |')).toBeLessThan(-0.5);
});

test('the size of a tyre is not an identifier of it', () => {
  expect(points('number', 'Spea tairi | 195/65 R15 | Chalinze', 'Spare wheel | 195/65 R15 | Chalinze')).toBe(0);
  expect(points('number', 'Faili | 195/65 | Chalinze', 'File | 195/65 | Chalinze')).toBeGreaterThan(0);
});

test('churches of the same name may be in different towns', () => {
  const place = (church: string) => `${church} | | Kanisa la Moravian`;
  expect(points('place', `${place('Miwani')} Rungwe`, `${place('Glasses')} Sikonge`)).toBeLessThan(0);
});

test('an animal may be found far away', () => {
  const place = (thing: string) => points('place', `${thing} | | Mto wa Mbu`, `${thing} | | Makuyuni`);
  expect(place('Begi')).toBeLessThan(0);
  expect(place('Mbuzi')).toBe(place('Begi') / 2);
  expect(points('place', 'Kondoo | | Longido', 'Kondoo | | Nachingwea, Lindi')).toBeLessThan(-1);
});
