import { expect, test } from 'vitest';
import { matchReasonSchema } from '#contract/matching.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { judge, read } from './make-post.ts';

test('a thin description of the same thing in the same place is a match', () => {
  expect(judge('Miwani ya macho | | Sinza', 'Eyeglasses | | Sinza').confidence).toBe('sure');
  expect(judge('Lost umbrella | | Kariakoo', 'Mwavuli umeokotwa | | Kkoo').confidence).toBe('sure');
});

test('among thousands of open posts as little is only possible', () => {
  expect(judge('Miwani ya macho | | Sinza', 'Eyeglasses | | Sinza', 10_000).confidence).toBe('possible');
  expect(judge('Begi jeusi | | Sinza', 'Black bag | | Sinza', 10_000).confidence).toBe('possible');
  const [lost, found] = ['Simu ya Itel nyeusi | kioo kina ufa, kava jekundu', 'Black Itel | cracked screen, red cover'];
  expect(judge(`${lost} | Manzese`, `${found} | Manzese`, 10_000).confidence).toBe('sure');
});

test('a thing alone, or a thing and its colour, is no match', () => {
  expect(judge('Simu | | Kwa Athumani', 'Phone | | Kwa Maua').confidence).not.toBe('sure');
  expect(judge('Begi jeusi | | kijijini', 'Black bag | | mtaani').confidence).not.toBe('sure');
});

test.each([
  ['colour', 'Simu nyeusi | | Manzese', 'White phone | | Manzese'],
  ['make', 'Simu ya Itel | | Manzese', 'Tecno phone | | Manzese'],
  ['model', 'Samsung A12 | | Sinza', 'Samsung A32 | | Sinza'],
  ['kind', 'Chaja ya simu | | Mwenge', 'Phone | | Mwenge'],
  ['what it opens', 'Funguo za nyumba | | Tanga', 'Car keys | | Tanga'],
  ['person', 'NIDA | Asha Juma | Temeke | Asha Juma', 'NIDA card | Rehema Said | Temeke | Rehema Said'],
  ['town', 'Miwani ya jua | | Moshi', 'Sunglasses | | Zanzibar'],
  ['number', 'Kadi ya gari | T 123 ABC | Iringa', 'Car card | T 987 XYZ | Iringa'],
  ['count', 'Mbuzi watatu | | Chalinze', 'Two goats | | Chalinze'],
  ['material', 'Pete ya dhahabu | | Wete', 'Silver ring | | Wete'],
  ['for whom', 'Saa ya kiume | | Iringa', 'Ladies watch | | Iringa'],
])('another %s is a contradiction', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('the reasons are said in both languages and hide the numbers', () => {
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

test('more that agrees scores higher', () => {
  const thin = judge('Begi jeusi | | Manzese', 'Black bag | | Manzese').score;
  const rich = judge('Begi jeusi | lina daftari la kijani | Manzese', 'Black bag | green notebook | Manzese').score;
  expect(rich).toBeGreaterThan(thin);
});

test('the same number is worth telling whatever the thing is called', () => {
  expect(judge('Pikipiki | MC 123 ABC | Kimara', 'Namba ya pikipiki MC123ABC | | Kimara').confidence).toBe('sure');
});

test('empty posts and odd characters do no harm', () => {
  expect(judge('| | |', '🙈 | ؟؟ | ---').confidence).not.toBe('sure');
});

test('a post is stored under 52 terms at most and looked up under 26', () => {
  const rich = read(
    'Begi la bluu, jekundu na jeusi la Nike na Adidas | laptop ya HP, simu ya Itel, funguo, jina Asha Juma Omari na Rehema Said Ally, T 123 ABC | Sinza, Mwenge, Ubungo na Kariakoo',
  );
  expect(indexTerms(rich).length).toBeLessThanOrEqual(52);
  expect(lookupTerms(rich).length).toBeLessThanOrEqual(26);
});

test.each([
  ['one side without a place', 'Simu ya Itel nyeusi | | nyumbani', 'Black Itel phone | | Manzese'],
  ['a vague and an exact word', 'Begi la kijani | | Mbagala', 'Green backpack | | Mbagala Rangi Tatu'],
  ['neighbouring wards', 'Itel nyeusi | | Sinza', 'Black Itel | | Mwenge'],
  ['a misspelt name', 'NIDA | jina Mohamedi Salumu | Lindi', 'NIDA | Muhammad Salum | Mtwara'],
  ['an unknown thing', 'Zulufuna | | kwetu', 'Zulufuna imeokotwa | | mbali'],
])('the index brings together %s', (_, lost, found) => {
  const stored = new Set(indexTerms(read(found)));
  expect(lookupTerms(read(lost)).some((term) => stored.has(term))).toBe(true);
});

test('a description of nothing but rare words, names or writing is read no further than a person would', () => {
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
