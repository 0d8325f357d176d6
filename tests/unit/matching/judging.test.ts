import { expect, test } from 'vitest';
import { matchReasonSchema } from '#contract/posts.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { type Competition, confidenceOf, probabilityOf } from '#worker/matching/judging/probability.ts';
import { deriveKind, judgeCertain } from '#worker/matching/match-post.ts';
import { otherKind } from '#worker/matching/match-types.ts';
import { isPhoneOrSim } from '#worker/matching/reading/read-kind.ts';
import { judge, makePost, read } from './make-post.ts';

test('two short posts that name the same thing and the same place are a sure match', () => {
  expect(judge('Miwani ya macho | | Sinza', 'Eyeglasses | | Sinza').confidence).toBe('sure');
  expect(judge('Lost umbrella | | Kariakoo', 'Mwavuli umeokotwa | | Kkoo').confidence).toBe('sure');
});

test('if thousands of posts are open, two posts that share only thing, colour and place are only a possible match', () => {
  expect(judge('Miwani ya macho | | Sinza', 'Eyeglasses | | Sinza', 10_000).confidence).toBe('possible');
  expect(judge('Begi jeusi | | Sinza', 'Black bag | | Sinza', 10_000).confidence).toBe('possible');
  const [lost, found] = ['Simu ya Itel nyeusi | kioo kina ufa, kava jekundu', 'Black Itel | cracked screen, red cover'];
  expect(judge(`${lost} | Manzese`, `${found} | Manzese`, 10_000).confidence).toBe('sure');
});

test('two posts that share only the thing, such as a phone, or the thing and its colour, are not a sure match', () => {
  expect(judge('Simu | | Kwa Athumani', 'Phone | | Kwa Maua').confidence).not.toBe('sure');
  expect(judge('Begi jeusi | | kijijini', 'Black bag | | mtaani').confidence).not.toBe('sure');
});

test.each([
  ['colour', 'Simu nyeusi | | Manzese', 'White phone | | Manzese'],
  ['make', 'Simu ya Itel | | Manzese', 'Tecno phone | | Manzese'],
  ['model', 'Samsung A12 | | Sinza', 'Samsung A32 | | Sinza'],
  ['thing', 'Chaja ya simu | | Mwenge', 'Phone | | Mwenge'],
  ['what the keys open', 'Funguo za nyumba | | Tanga', 'Car keys | | Tanga'],
  ['owner', 'NIDA | Asha Juma | Temeke | Asha Juma', 'NIDA card | Rehema Said | Temeke | Rehema Said'],
  ['town', 'Miwani ya jua | | Moshi', 'Sunglasses | | Zanzibar'],
  ['plate number', 'Kadi ya gari | T 123 ABC | Iringa', 'Car card | T 987 XYZ | Iringa'],
  ['count', 'Mbuzi watatu | | Chalinze', 'Two goats | | Chalinze'],
  ['material', 'Pete ya dhahabu | | Wete', 'Silver ring | | Wete'],
  ['intended user', 'Saa ya kiume | | Iringa', 'Ladies watch | | Iringa'],
])('two posts that differ in one detail (%s) are not a sure match', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('each match reason has a text in both languages, and does not show the serial or document number', () => {
  const { reasons } = judge(
    'Simu ya Itel nyeusi | IMEI 490154203237518, jina Asha Juma | Manzese',
    'Black Itel phone | IMEI 490154203237518, name Asha Juma | Manzese',
  );
  for (const reason of reasons) expect(() => matchReasonSchema.parse(reason)).not.toThrow();
  expect(reasons).toContainEqual({ kind: 'item', en: 'phone', sw: 'simu' });
  expect(reasons).toContainEqual({ kind: 'colour', en: 'black', sw: 'nyeusi' });
  expect(reasons).toContainEqual({ kind: 'brand', en: 'Itel', sw: 'Itel' });
  expect(reasons).toContainEqual({ kind: 'place', en: 'Manzese', sw: 'Manzese' });
  expect(JSON.stringify(reasons)).not.toContain('32375');
});

test('of two pairs of posts, the pair that agrees in more details has a higher match score', () => {
  const thin = judge('Begi jeusi | | Manzese', 'Black bag | | Manzese').score;
  const rich = judge('Begi jeusi | lina daftari la kijani | Manzese', 'Black bag | green notebook | Manzese').score;
  expect(rich).toBeGreaterThan(thin);
});

test('two posts with the same plate number are a sure match, whatever the posts call the thing', () => {
  expect(judge('Pikipiki | MC 123 ABC | Kimara', 'Namba ya pikipiki MC123ABC | | Kimara').confidence).toBe('sure');
});

test('posts without words and posts with odd characters are compared without an error', () => {
  expect(judge('| | |', '🙈 | ؟؟ | ---').confidence).not.toBe('sure');
});

test('a post has at most 52 terms in the match index, and the search for its matches uses at most 26 terms', () => {
  const rich = read(
    'Begi la bluu, jekundu na jeusi la Nike na Adidas | laptop ya HP, simu ya Itel, funguo, jina Asha Juma Omari na Rehema Said Ally, T 123 ABC | Sinza, Mwenge, Ubungo na Kariakoo',
  );
  expect(indexTerms(rich).length).toBeLessThanOrEqual(52);
  expect(lookupTerms(rich).length).toBeLessThanOrEqual(26);
});

test.each([
  ['a missing place in one post', 'Simu ya Itel nyeusi | | nyumbani', 'Black Itel phone | | Manzese'],
  ['a vague word for the thing in one post', 'Begi la kijani | | Mbagala', 'Green backpack | | Mbagala Rangi Tatu'],
  ['places in two neighbouring wards', 'Itel nyeusi | | Sinza', 'Black Itel | | Mwenge'],
  ['a misspelt name', 'NIDA | jina Mohamedi Salumu | Lindi', 'NIDA | Muhammad Salum | Mtwara'],
  ['a thing that the lexicon lacks', 'Zulufuna | | kwetu', 'Zulufuna imeokotwa | | mbali'],
])('a look-up in the match index for the lost post finds the found post despite %s', (_, lost, found) => {
  const stored = new Set(indexTerms(read(found)));
  expect(lookupTerms(read(lost)).some((term) => stored.has(term))).toBe(true);
});

test('from a long post, the matching reads at most 60 rare words, 12 people’s names and 20 words of the writing on the thing', () => {
  const consonants = 'bcdfghjklmnpqrstvwz';
  const rare = Array.from({ length: 400 }, (_, at) => `zx${consonants[at % 19]}o${consonants[Math.floor(at / 19)]}u`);
  const { words } = read(`Black phone | ${rare.join(' ')} | Mwenge`);
  expect(words.length).toBeGreaterThan(20);
  expect(words.length).toBeLessThanOrEqual(60);
  const named = read(`Black phone | ${'Neema Komba, Juma Hassan, '.repeat(70)} | Mwenge`);
  expect(named.persons.length).toBeLessThanOrEqual(12);
  const written = read(`Black bag | written on it: "${rare.slice(0, 200).join(' ')}" | Mwenge`);
  expect(written.writing.length).toBeLessThanOrEqual(20);
});

const LOST = read('Simu | | Sinza | Asha Juma');
const FOUND = read('Phone | | Sinza');
const OF_ANOTHER = read('Phone | jina Neema Komba | Sinza | Neema Komba');

test('judgeCertain returns no result if the posts share no identifier and the finder did not choose “I found this” on the lost post', () => {
  expect(judgeCertain({ is_named: 0, shares_identifier: 0 }, LOST, FOUND)).toBeNull();
});

test('two posts that share an identifier are a sure match with the score 0.999', () => {
  const judged = judgeCertain({ is_named: 0, shares_identifier: 1 }, LOST, FOUND);
  expect(judged).toMatchObject({ confidence: 'sure', score: 0.999 });
  expect(judged?.reasons[0]).toEqual({ kind: 'same_identifier' });
  expect(judged?.reasons.map(({ kind }) => kind)).toContain('item');
});

test('if two posts name different owners, a shared identifier makes only a possible match; pressing “I found this” makes a sure match', () => {
  expect(judgeCertain({ is_named: 0, shares_identifier: 1 }, LOST, OF_ANOTHER)?.confidence).toBe('possible');
  expect(judgeCertain({ is_named: 1, shares_identifier: 0 }, LOST, OF_ANOTHER)?.confidence).toBe('sure');
  expect(judgeCertain({ is_named: 1, shares_identifier: 1 }, LOST, OF_ANOTHER)?.reasons.slice(0, 2)).toEqual([
    { kind: 'named_by_finder' },
    { kind: 'same_identifier' },
  ]);
});

test('an owner’s post is matched with finders’ posts, and a finder’s post with owners’ posts', () => {
  expect([otherKind('owner'), otherKind('finder')]).toEqual(['finder', 'owner']);
});

test.each([
  ['Simu ya Tecno', true],
  ['Laini ya simu', true],
  ['SIM card', true],
  ['Begi', false],
  ['Begi lenye simu', false],
  ['Kava la simu', false],
  ['Kadi ya benki', false],
  ['Zulufuna', false],
])('isPhoneOrSim, called with a post titled “%s”, returns %s', (title, is) => {
  expect(isPhoneOrSim(makePost(title) as Parameters<typeof isPhoneOrSim>[0])).toBe(is);
});

test.each([
  ['Kitambulisho', 'document'],
  ['Simu', 'electronics'],
  ['Begi', 'bag'],
  ['Funguo', 'key'],
  ['Viatu', 'wear'],
  ['Mbuzi', 'animal'],
  ['Pikipiki', 'vehicle'],
  ['Mwavuli', 'other'],
  ['Zulufuna', 'other'],
])('a post titled “%s” gets the kind %s', (title, kind) => expect(deriveKind(makePost(title))).toBe(kind));

test.each([
  ['only one side names the thing', 'Kadude changu | QRT Zulufu | Njiro', 'Umbrella | Zulufu, QRT | Njiro'],
  [
    'the two sides name the thing differently',
    'Walkie talkie | Motorola, SGA guards | Njiro',
    'Redio | ya SGA, Motorola | Njiro',
  ],
  [
    'one side names the cover and the other the phone',
    'Simu A05 | ya mkopa, kava la Simba | Mwanga',
    'Kava | A05 ya mkopa, Simba | Mwanga',
  ],
])('shared rare words make a sure match even if %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test('a shared name makes a possible match even if one of the posts does not say that the word is a name', () => {
  expect(judge('Bank book | Kokubanza Rweyemamu | kwetu', 'Kitabu cha benki | Kokubanza | mbali').confidence).toBe(
    'possible',
  );
});

test.each([
  ['a phone and a cover for its model', 'Kava la simu | Samsung A12 lenye maua | Sinza', 'Samsung A12 | black | Sinza'],
  ['two things of one make', 'Charger ya Samsung A12 | | Sinza', 'Samsung A12 | | Sinza'],
  ['two cards of one person', 'NIDA | Asha Juma Omari | Sinza', 'Leseni ya udereva | Asha Juma Omari | Sinza'],
])('two posts about %s are not a sure match, because the things differ', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['the word is in both titles', 'Zulufuna | | kwa Athumani', 'Zulufuna | | kwa Maua'],
  ['the word is in both titles, and the places are neighbours', 'Zulufuna | | Sinza', 'Zulufuna | | Mwenge'],
  ['the word is in both descriptions of unknown things', 'Kadude | zulufuna | kwetu', 'Dubwana | zulufuna | mbali'],
  [
    'the word is a name in both descriptions, and one thing is known',
    'Kadude | ya Zulufuna | kwetu',
    'Redio | ya Zulufuna | mbali',
  ],
  [
    'the word is a name in both descriptions, and the things differ',
    'Begi | la Zulufuna | kwetu',
    'Redio | ya Zulufuna | mbali',
  ],
  [
    'the word is in both descriptions of one kind of thing',
    'Mwavuli | zulufuna | kwa Athumani',
    'Mwavuli | zulufuna | kwa Maua',
  ],
  ['the word is in the place names of two posts about phones', 'Simu | | kwa Zulufuna', 'Simu | | kwa Zulufuna'],
])('a shared word that the lexicon lacks does not make a sure match: %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['both posts name the same owner', 'Waleti | ina NIDA | Sinza | Asha Juma', 'NIDA | Asha Juma | Sinza'],
  [
    'both posts also name a black book',
    'Begi | lina mwavuli na kitabu cheusi | Sinza',
    'Mwavuli | na kitabu cheusi | Sinza',
  ],
  [
    'both posts also name a rare thing, a screwdriver',
    'Begi | lina mwavuli na bisibisi | Sinza',
    'Mwavuli | na bisibisi | Sinza',
  ],
  [
    'both posts contain the same rare words',
    'Begi | lina mwavuli wa QRT Zulufuna | Sinza',
    'Mwavuli | QRT Zulufuna | Sinza',
  ],
  [
    'the lost post lists container and thing, and the colours of the thing agree',
    'Begi | mwavuli mwekundu | Sinza',
    'Mwavuli mwekundu | | Sinza',
  ],
  ['each post names the other post’s thing', 'Begi | lenye nguo | Sinza', 'Nguo | ndani ya begi | Sinza'],
])('a found thing and the lost container that held the thing are a sure match if %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test.each([
  ['no owner is named', 'Waleti | ina NIDA | Sinza', 'NIDA | | Sinza'],
  [
    'the lost post only says that such a thing was inside',
    'Begi | lina mwavuli mwekundu | Sinza',
    'Mwavuli mwekundu | | Sinza',
  ],
])('a found thing and the lost container that held the thing are not a sure match if %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('if a description has many words that the lexicon lacks, a capitalised word is chosen as an index term before the others', () => {
  const stored = new Set(indexTerms(read('Kadude | abeko, dafino, gulore, hepima, jokasu, Zulufuna | kwetu')));
  expect(
    lookupTerms(read('Radio | kobesu, lamito, nudavi, pofera, rukesi, Zulufuna | mbali')).some((term) =>
      stored.has(term),
    ),
  ).toBe(true);
});

type Points = Partial<Record<Aspect, number>>;

const BITS_PER_POINT = 8;
/** Among so many open posts, an unrelated post that agrees by chance is likelier than a look-alike. */
const CROWDED: Competition = { openPosts: 300 * 2 ** 10, shareOf: () => null };
const TYPICAL: Competition = { openPosts: 300, shareOf: () => null };

/** Returns the binary logarithm of the odds that two posts are about one thing. */
function bits(points: Points, competition: Competition, agreed: string[] = []): number {
  const aspects = Object.fromEntries(
    Object.entries(points).map(([aspect, count]) => [aspect, { points: count, reasons: [], agreed }]),
  );
  const probability = probabilityOf(aspects, competition);
  return Math.log2(probability / (1 - probability));
}

/** Returns how much a point of the aspect counts, as a share of a point's full weight (BITS_PER_POINT). */
function worth(aspect: Aspect, points: number, competition: Competition, beside: Points): number {
  const all = bits({ ...beside, [aspect]: points }, competition);
  return (all - bits(beside, competition)) / (points * BITS_PER_POINT);
}

const worthAmongOthers = (aspect: Aspect, points: number) => worth(aspect, points, CROWDED, { day: 1 });
/**
 * Returns `worth` if the posts also agree strongly in another aspect. An unrelated post seldom agrees so much, but a
 * look-alike (somebody else's similar thing) may.
 */
const worthBesideLookAlike = (aspect: Aspect, points: number) =>
  worth(aspect, points, TYPICAL, aspect === 'place' ? { said: -0.4, concepts: 4 } : { said: -0.4, place: 4 });

test.each<Aspect>(['thing', 'colour', 'look', 'make', 'place', 'concepts', 'attributes', 'words', 'parts'])(
  'agreement in the aspect “%s” is weaker evidence for a match if a look-alike of the lost thing may have been found',
  (aspect) => {
    const besideLookAlike = worthBesideLookAlike(aspect, 0.1);
    expect(besideLookAlike).toBeLessThan(worthAmongOthers(aspect, 0.1) - 0.2);
    expect(besideLookAlike).toBeGreaterThan(-0.01);
  },
);

test.each<Aspect>(['owner', 'number'])(
  'agreement in the owner’s name or an identifier (aspect “%s”) is strong evidence for a match even if a look-alike may have been found',
  (aspect) => {
    expect(worthBesideLookAlike(aspect, 0.1)).toBeGreaterThan(0.9);
    expect(worthAmongOthers(aspect, 0.1)).toBeGreaterThan(0.9);
  },
);

test.each<Aspect>(['parts', 'values', 'writing', 'contents', 'issuer'])(
  'a difference in the aspect “%s” is stronger evidence against a match if a look-alike of the lost thing may have been found',
  (aspect) => {
    expect(worth(aspect, -0.1, TYPICAL, { place: 4 })).toBeGreaterThan(worthAmongOthers(aspect, -0.1) + 0.1);
  },
);

test.each<Aspect>(['thing', 'denied'])(
  'a difference in the thing or its missing parts (aspect “%s”) is weaker evidence against a match if a look-alike may have been found',
  (aspect) => {
    expect(worth(aspect, -0.1, TYPICAL, { place: 4 })).toBeLessThan(worthAmongOthers(aspect, -0.1) - 0.1);
  },
);

test('one difference, however large, lowers the score of a match by a limited amount', () => {
  const difference = (count: number) => bits({ place: 9, count }, TYPICAL);
  expect(difference(-6)).toBeCloseTo(difference(-3), 1);
  expect(difference(-3)).toBeLessThan(difference(0));
});

test('a match is more probable if fewer posts are open; fewer than 70 open posts count as 70', () => {
  const among = (points: Points) => [600, 300, 150, 70].map((openPosts) => bits(points, { ...TYPICAL, openPosts }));
  for (const points of [{ day: 1.7 }, { place: 4 }]) {
    const odds = among(points);
    expect(odds.toSorted((a, b) => a - b)).toEqual(odds);
    expect(bits(points, { ...TYPICAL, openPosts: 1 })).toBeCloseTo(odds.at(-1) ?? 0, 5);
  }
});

test('the rarer the thing that both posts name, the higher the score of their match; the effect of rarity is limited', () => {
  const gained = (value: string, share: number) =>
    bits({ day: 1 }, { ...CROWDED, shareOf: () => share }, [value]) - bits({ day: 1 }, CROWDED);
  expect(gained('thing x', 0.015)).toBeGreaterThan(0);
  expect(gained('thing x', 0.06)).toBeLessThan(0);
  expect(gained('thing x', 0.0001)).toBeCloseTo(gained('thing x', 0.00001), 5);
  expect(gained('thing x', 0.9)).toBeCloseTo(gained('thing x', 0.8), 5);
  expect(gained('word x', 0.0001)).toBe(0);
});

test('agreement in a very common value does not raise the score of a match', () => {
  const common = { ...TYPICAL, shareOf: () => 0.9 };
  expect(bits({ place: 4 }, common, ['thing x'])).toBeCloseTo(bits({ place: 4 }, TYPICAL), 1);
  expect(bits({ day: 1 }, CROWDED, ['thing x'])).toBe(bits({ day: 1 }, CROWDED));
});

test.each([
  [0.95, 'sure'],
  [0.4, 'possible'],
  [0.01, null],
])('a match probability of %d is rated %s (null: no match)', (score, confidence) =>
  expect(confidenceOf(score)).toBe(confidence),
);
