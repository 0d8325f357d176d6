import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { points } from './make-post.ts';

/** Two strangers describe one thing in their own words. None of their words may count as a contradiction. */
test.each<[string, Aspect, string, string]>([
  ['a trade in place of the owner’s name', 'owner', 'Mbwa | | Njiro | Lilian Mushi', 'Dog | | Njiro | mlinzi'],
  ['a workplace in place of the owner’s name', 'owner', 'Mbwa | | Njiro | Lilian Mushi', 'Dog | | Njiro | sheli'],
  [
    'a word such as “Surname” before the name',
    'owner',
    'NIDA | | Ilala | Neema Masanja',
    'National ID | Surname Masanja | Ilala |',
  ],
  ['an abbreviated name', 'owner', 'Msahafu | | Wete | Zainab Khamis', 'Quran | name Zainab Kh. inside | Wete |'],
  [
    'a name that the other post mentions only in its text',
    'owner',
    'Rosary | from Lourdes | Ngara | Consolata',
    'Rozari | imeandikwa Lourdes | Ngara |',
  ],
  [
    'an office without a name',
    'owner',
    'Muhuri | | Wete | Sheha wa Kiuyu Minungwini',
    'Muhuri | jina Kiuyu Minungwini | Wete |',
  ],
  [
    'a part of a plate instead of a name',
    'owner',
    'Pikipiki | | Kilosa | Peter Mgaya',
    'Pikipiki | namba inasomeka BQT | Kilosa |',
  ],
  [
    'a phrase that says where the writing is',
    'writing',
    'Solar panel | imeandikwa TUMAINI nyuma | Lindi |',
    'Panel ya sola | Marker writing behind | Lindi |',
  ],
  [
    'a remark after the writing',
    'writing',
    'Jackets | MV SALAMA stencilled, washed away | Lindi |',
    'Jackets | marked MV Salama | Lindi |',
  ],
  [
    'a hyphen in the writing',
    'writing',
    'World Vision tablet | tag WVT-0331 | Magu |',
    'Tablet | namba WVT 0331 | Magu |',
  ],
  [
    'a translation of the writing',
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
    'one missing wheel instead of three remaining ones',
    'denied',
    'Suitcase | 1 wheel missing | Bukoba |',
    'Suitcase | has 3 wheels only | Bukoba |',
  ],
  [
    'a broken instead of a missing aerial',
    'denied',
    'Redio | antena imekatika | Geita |',
    'Radio | haina antena | Geita |',
  ],
  [
    'one missing string instead of five remaining ones',
    'measures',
    'Guitar | one string missing | Moshi |',
    'Gitaa | nyuzi tano | Moshi |',
  ],
  ['a hyphen in a model', 'make', 'Casio fx-991 calculator | | Arusha |', 'calculator | casio fx991 | Arusha |'],
  ['a number beside the make', 'make', 'Guitar | Yamaha F310 | Moshi |', 'Gitaa | la yamaha, nyuzi 5 | Moshi |'],
  [
    'a missing last letter of a worn plate number',
    'number',
    'Number plate MC 482 CXR | | Mbulu |',
    'Number plate MC 482 CX | | Mbulu |',
  ],
  ['the notation of a tyre’s size', 'number', 'Tyre | 265/70R16 | Naberera |', 'Tairi | saizi 265/70/16 | Naberera |'],
  ['the beginning of a code', 'values', 'Pikipiki | STL 2291 | Namtumbo |', 'Pikipiki | STL 22.. | Namtumbo |'],
  [
    'a sentence that begins with I',
    'values',
    'Laptop | 840 G5 | Tegeta |',
    'Laptop on my back seat | I drive a taxi | Tegeta |',
  ],
  ['one key more or less', 'count', 'Keys | two keys and a small gate key | Mwanza |', 'Funguo | tatu | Mwanza |'],
  [
    'another part of the thing',
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
    'the tool of the writing instead of its words',
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
])('two descriptions of one thing may differ in this way without a contradiction: %s', (_, aspect, lost, found) => {
  expect(points(aspect, lost, found)).toBeGreaterThan(-0.35);
});

test.each<[string, Aspect, string, string]>([
  [
    'the name on a wallet’s cards',
    'owner',
    'Wallet | licence and bank cards | Nyegezi | Erick Mhagama',
    'Wallet | licence and bank card | Nyegezi | Elias Bugingo',
  ],
  ['the year of birth', 'values', 'NIDA | born 14/03/1999 | Mbalizi |', 'NIDA | mzee wa 1955 | Mbalizi |'],
  ['the power of a generator', 'measures', 'Generator | 2.5 kva | Mlele |', 'Jenereta | ya 6.5 kva | Mlele |'],
  [
    'the name after an abbreviation such as MT.',
    'writing',
    'Sufuria | limeandikwa KANISA MT. RITA | Musoma |',
    'Pot | a big one, it has KANISA MT. ANNA on the lid | Musoma |',
  ],
  [
    'the town of a ward whose name many towns have',
    'place',
    'Kondoo | | Majengo, Mtwara |',
    'Kondoo | | Majengo, Moshi |',
  ],
  ['the make of a surveying device', 'make', 'GPS | Leica | Chunya |', 'GPS | Topcon | Chunya |'],
  [
    'the brand mark on an animal',
    'values',
    "Ng'ombe | chapa MS12 paja la kushoto | Igunga |",
    'Cow | brand on left thigh NG40 | Igunga |',
  ],
  ['the size of shoes', 'measures', 'Njumu | no 41 | Tanga |', 'Njumu | saizi 36 | Tanga |'],
  ['the size of a mattress', 'values', 'Godoro | 5x6 | Dodoma |', 'Mattress | 3 by 6 | Dodoma |'],
  ['the rim of a tyre', 'values', 'Spea tairi | 175/65 R14 | Mikese |', 'Spare tyre | 16 inch | Mikese |'],
  [
    'the sex of an animal, one of which is pregnant',
    'attributes',
    'Male cat | grey | Mikese |',
    'Paka | ana mimba | Mikese |',
  ],
  [
    'the size of the thing, beside its name',
    'opposites',
    'Kinu cha mninga | kikubwa, na mchi wake | Newala |',
    'Kinu kidogo | cha mti | Newala |',
  ],
  [
    'the second half of a boat’s name',
    'writing',
    'Boti | imeandikwa AMANI YA BABA | Kibirizi |',
    'Boat | it has AMANI ZIWANI painted | Kibirizi |',
  ],
])('two descriptions contradict each other if they differ in %s', (_, aspect, lost, found) => {
  expect(points(aspect, lost, found)).toBeLessThan(-0.5);
});

test('a different place counts little against a match if the matching guessed the place from a similar place name', () => {
  expect(points('place', 'Camera | | Mpembe', 'Camera | | Matemwe')).toBeGreaterThan(-0.3);
});

test('a different place counts against a match if the thing was lost at a bus stand, but not if it was lost in a bus', () => {
  expect(points('place', 'Kapu | | gari ya Makunduchi', 'Kapu | | Kwerekwe')).toBeGreaterThanOrEqual(0);
  expect(points('place', 'Begi | | Mtwara stendi', 'Begi | | Bukoba bus stand')).toBeLessThan(-1);
});

test('an owner’s name that differs in the finder’s post counts little against a match, because finders often type their own name', () => {
  const owner = (found: string) => points('owner', 'Mbwa | | Njiro | Lilian Mushi', found);
  expect(owner('Dog | | Njiro | Tumaini Massawe')).toBeGreaterThan(-0.5);
  expect(owner('Dog | collar with the name Tumaini Massawe | Njiro |')).toBeLessThan(-0.5);
});

test('the size of a tyre is not taken for a serial number', () => {
  expect(points('number', 'Spea tairi | 195/65 R15 | Chalinze', 'Spare wheel | 195/65 R15 | Chalinze')).toBe(0);
  expect(points('number', 'Faili | 195/65 | Chalinze', 'File | 195/65 | Chalinze')).toBeGreaterThan(0);
});

test('two churches of the same name in different towns count as different places', () => {
  const place = (church: string) => `${church} | | Kanisa la Moravian`;
  expect(points('place', `${place('Miwani')} Rungwe`, `${place('Glasses')} Sikonge`)).toBeLessThan(0);
});

test('if the lost thing is an animal, the distance between the places of two posts counts only half against their match, unless it is very long', () => {
  const place = (thing: string) => points('place', `${thing} | | Mto wa Mbu`, `${thing} | | Makuyuni`);
  expect(place('Begi')).toBeLessThan(0);
  expect(place('Mbuzi')).toBe(place('Begi') / 2);
  expect(points('place', 'Kondoo | | Longido', 'Kondoo | | Nachingwea, Lindi')).toBeLessThan(-1);
});
