import { describe, expect, test } from 'vitest';
import type { PostKind } from '#contract/kinds.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { judgeCertain } from '#worker/matching/match-post.ts';
import { judge, points, read } from './make-post.ts';

test.each([
  [
    'writing',
    'Kanga ya pinki | imeandikwa Wema hauozi | Mombasa Zanzibar',
    'Pink khanga | writing: Mapenzi ni kikohozi | Mombasa Zanzibar',
  ],
  ['contents', 'Begi la nguo | la bluu, nguo za kike | Abood', 'Blue bag | hammer and saw inside | Abood'],
  [
    'names of a couple',
    'Marriage certificate | Robert and Veronica | Geita',
    'Cheti cha ndoa | Shabani na Zainabu | Geita',
  ],
  ['firm', 'Receipt book | Mkombozi Hardware | Songea', 'Receipt book | Baraka Pharmacy | Songea'],
  ['route', 'Black backpack | | Dar to Mbeya bus', 'Black backpack | | Dar to Arusha bus'],
  ['sex of the animal', 'Tetea mweusi | uzi mwekundu | Tanga', 'Jogoo mweusi | uzi mwekundu | Tanga'],
  ['thing (cover or phone)', 'Cover of Samsung A12 | black | Sinza', 'Samsung A12 | black | Sinza'],
])('two posts that differ in the %s are not a sure match', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['writing', 'Pink kanga | imeandikwa Wema hauozi | Tanga', 'Kanga ya pinki | Wema hauozi | Tanga'],
  ['firm', 'Stamp | Mkombozi Hardware | Songea', 'Muhuri wa Mkombozi Hardware | | Songea'],
  ['route', 'Black backpack | | Dar to Mbeya bus', 'Begi jeusi la mgongoni | | basi la Dar kwenda Mbeya'],
  ['rough count', 'Mbuzi kumi weusi | | Chalinze', 'Mbuzi weusi zaidi ya watano | | Chalinze'],
])('two posts that agree in the %s are a sure match', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test.each([
  ['an accessory for the thing', 'Tecno Camon nyeusi | | Ubungo', 'Cover for a Tecno phone | | Ubungo'],
  ['a thing of the same name that belongs to a dog', 'Miwani | | Ngara', 'Miwani ya mbwa | | Ngara'],
  ['a thing whose make has the same name as the lost thing', 'Parrot | | Tanga', 'A notebook, Parrot brand | | Tanga'],
])('a lost thing is not a sure match with %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['Sare | ya shule ya Zulufuna', ['zulufuna']],
  ['Sare | Zulufuna Secondary', ['zulufuna']],
  ['Sare | ya chuo cha UDOM', ['UDOM, Dodoma']],
  ['Sare | ya shule. Zulufuna anasoma', []],
  ['Sare | ya shule ya msingi', []],
  ['Sare | ya shule ya zulufuna', []],
])('in a post about a uniform, “%s” is read as naming these schools or firms: %j', (side, issuers) => {
  expect(read(side).issuers).toEqual(issuers);
});

test('one half of a hyphenated word, such as “turtle” in “turtle-neckish”, is not read as a thing', () => {
  expect(read('Turtle-neckish sweater').heads.map((head) => head.ids)).toEqual([['sweater']]);
});

test('a make of phones at the start of a description, such as “Samsung A14”, means that the thing is a phone', () => {
  expect(read('Oya nimelost | Samsung A14 nyeusi, kioo kina ufa').heads[0]?.ids).toEqual(['phone']);
});

test('an honorific such as “Pst.” before a name is not read as part of the name', () => {
  expect(read('Kitabu | jina Pst. Sanga').persons.map((person) => person.names)).toEqual([['sanga']]);
});

test('two phones with IMEIs of different models are never a match, even if everything else agrees', () => {
  const lost = 'Black Tecno Spark 8 | cracked screen, red cover, IMEI 490154203237518 | Mwenge';
  const found = 'Black Tecno Spark 8 | cracked screen, red cover, IMEI 356938035643809 | Mwenge';
  expect(judge(lost, found).confidence).toBeNull();
});

test('two wallets with different owners’ names are a possible match, because some finders enter their own name as the owner’s', () => {
  const lost = 'Black wallet | voter card and Equity card | Temeke Mwisho | Rashidi Omari Kapalata';
  const found = (owner: string) => `Black wallet | voter card and Equity card | Temeke | ${owner}`;
  expect(judge(lost, found('Elibariki Zakayo Mollel')).confidence).toBe('possible');
  expect(judge(lost, found('')).confidence).toBe('sure');
});

const SAID = 'ina kamba nyekundu yenye maneno ZAWADI MOLLEL 77, imepotea jana stendi ya Mwenge | Mwenge';

/** Returns the confidence of a match. `kinds` are the kinds that the two authors chose; by default the texts decide. */
function confidenceOf(lost: string, found: string, kinds?: { lost: PostKind; found: PostKind }) {
  return judgePair(read(lost), read(found), undefined, kinds).confidence;
}

test.each([
  ['keys and a phone', 'Funguo za gari', 'Samsung A14'],
  ['a phone and a bicycle', 'Samsung A14', 'Baiskeli'],
  ['a bag and a phone', 'Begi jeusi', 'Samsung A14'],
  ['keys and a phone of one serial number', 'Funguo | Serial ABX12345Q,', 'Samsung A14 | Serial ABX12345Q,'],
])(
  'a lost and a found post about different things (%s) are not a sure match, although everything else agrees',
  (_what, lost, found) => {
    expect(judge(`${lost} | ${SAID}`, `${found} | ${SAID}`, 300).confidence).not.toBe('sure');
  },
);

test.each<[what: string, text: string, lost: PostKind, found: PostKind, is: 'sure' | 'possible']>([
  ['the same kind', 'Samsung A14', 'electronics', 'electronics', 'sure'],
  ['different kinds', 'Samsung A14', 'electronics', 'key', 'possible'],
  ['different kinds, and a thing that the lexicon lacks', 'Zulufuna', 'electronics', 'key', 'possible'],
  ['one post of the kind “other”', 'Samsung A14', 'electronics', 'other', 'sure'],
  ['a bag and its content', 'Begi lenye kitambulisho', 'bag', 'document', 'sure'],
  ['a thing that the lexicon lacks, one post of the kind “bag”', 'Zulufuna', 'bag', 'document', 'possible'],
])(
  'case “%s”: a lost and a found post with the same title “%s” and the kinds %s and %s are a %s match',
  (_what, text, lost, found, is) => {
    expect(confidenceOf(`${text} | ${SAID}`, `${text} | ${SAID}`, { lost, found })).toBe(is);
  },
);

test('two posts that each name both keys and a phone are a sure match, whichever thing comes first', () => {
  expect(confidenceOf(`Funguo na simu ya Tecno | ${SAID}`, `Simu ya Tecno na funguo | ${SAID}`)).toBe('sure');
});

test('two posts that name different things are still a sure match if they share an identifier or the finder chose “I found this”', () => {
  const [lost, found] = [read(`Funguo | ${SAID}`), read(`Samsung A14 | ${SAID}`)];
  expect(judgeCertain({ is_named: 0, shares_identifier: 1 }, lost, found)?.confidence).toBe('sure');
  expect(judgeCertain({ is_named: 1, shares_identifier: 0 }, lost, found)?.confidence).toBe('sure');
});

test('“no place for cassette” is read as a missing cassette, but “no.” in “ticket no. 56” is not read as “without”', () => {
  expect(read('Suit | ticket no. 56').denied).toEqual([]);
  expect(read('Radio | no place for cassette').denied.flat()).toContain('thing video-tape');
  expect(read('Mizani | kioo hakipo').denied.flat()).toContain('thing screen');
});

test('a number in words, such as “sita”, equals the number in figures', () => {
  expect(read('Kitenge | vipande sita').details.flat()).toContain('number 6');
  expect(read('Kitenge | 6 cut pieces').details.flat()).toContain('number 6');
});

test('the sticker numbers of two things are compared, even if the two posts use different words for “sticker”', () => {
  const lost = 'Tablet | sticker no. 2217 | Mpanda';
  expect(points('values', lost, 'Tablet | stika 3048, nyeusi | Mpanda')).toBeLessThan(-0.3);
  expect(points('values', lost, 'Tablet | stika 2217, nyeusi | Mpanda')).toBeGreaterThan(0);
});

test('“something like a cup” is weaker evidence about the thing than “a cup”', () => {
  const lost = 'Trumpet | | Goba';
  expect(points('thing', lost, 'Kitu kama kikombe | | Goba')).toBeGreaterThan(
    points('thing', lost, 'Kikombe | | Goba'),
  );
});

test('a place that lies between the two ends of a route agrees with the route', () => {
  expect(points('place', 'Trunk | | between Moshi and Same', 'Trunk | | Mwanga, Kilimanjaro')).toBeGreaterThan(0);
  expect(points('place', 'Trunk | | between Moshi and Same', 'Trunk | | Dodoma')).toBeLessThan(0);
});

test('the word “I” in an English sentence is not read as an initial of a person’s name', () => {
  expect(read('Sweater | I sewed BRIAN M. on the label').persons.flatMap(({ names }) => names)).not.toContain('sewed');
});

test('two posts agree if both say, in either language, that the same part is missing', () => {
  expect(points('denied', 'Jeki | haina mpini | Goba', 'Jack | handle not there | Goba')).toBeGreaterThan(0);
});

test('“never worn” means the same as “new”', () => {
  expect(points('opposites', 'Wig | never worn | Sinza', 'Wig | still new | Sinza')).toBeCloseTo(0);
  expect(points('opposites', 'Wig | worn out | Sinza', 'Wig | brand new | Sinza')).toBeLessThan(0);
});

test('“tooth marks” and “chewed” count as the same detail', () => {
  const said = (found: string): number => points('said', 'Hard disk | case with teeth marks | Goba', found);
  expect(said('Hard disk | kava limetafunwa | Goba')).toBeGreaterThan(said('Hard disk | kava limechorwa | Goba'));
});

test('schools named after two different saints count as different schools', () => {
  const lost = "Bibs | seven, red, St Mary's | Goba";
  expect(points('issuer', lost, 'Bibs | seven, red, marked Lugalo Sec | Goba')).toBeLessThan(-0.5);
  expect(points('issuer', lost, 'Bibs | nyekundu, St. Mary | Goba')).toBeGreaterThan(0);
});

test('numbers marked on things, such as “marked 1 in tape”, count for a match if they are equal, and against it if they differ', () => {
  const lost = 'Wireless mic | marked 1 in tape | Goba';
  expect(points('values', lost, 'Maiki | imebandikwa namba 4 | Goba')).toBeLessThan(-0.5);
  expect(points('values', lost, 'Maiki | imebandikwa namba 1 | Goba')).toBeGreaterThan(0);
});

describe('similar posts', () => {
  const SAID = 'nyeusi, kava jekundu, stika ya Zulufuna QRT, nilisahau kwenye daladala | Sinza';

  test.each([
    ['keys and a phone', `Funguo | ${SAID}`, `Simu | ${SAID}`],
    ['shoes and a licence', `Viatu | ${SAID}`, `Driving licence | ${SAID}`],
    ['a hen and a rooster', 'Kuku | tetea, uzi mwekundu | Tanga', 'Kuku | jogoo, uzi mwekundu | Tanga'],
  ])('two posts about different things (%s) are never a sure match, even if all else agrees', (_, lost, found) => {
    expect(judge(lost, found).confidence).not.toBe('sure');
  });

  test.each([
    ['is about a container', `Begi | ${SAID}`, `Viatu | ${SAID}`],
    ['mentions the thing of the other post', `Funguo | na simu, ${SAID}`, `Simu | ${SAID}`],
    ['names its thing only vaguely', `Kitu kama funguo | ${SAID}`, `Simu | ${SAID}`],
  ])('two posts about different things are a possible match if all else agrees and one post %s', (_, lost, found) => {
    expect(judge(lost, found).confidence).toBe('possible');
  });

  test('the number in a model such as “Hot 30” counts only as a part of make and model, and not as a number of its own', () => {
    const [lost, found] = ['Infinix Hot 30 | | Sinza', 'Infinix Hot 30 | | Sinza'];
    expect(points('values', lost, found)).toBe(0);
    expect(points('said', lost, found)).toBeLessThanOrEqual(0);
    expect(points('make', lost, found)).toBeGreaterThan(points('make', 'Infinix | | Sinza', found));
    expect(points('make', 'Remote ya gari | Toyota Crown', 'Car remote | Toyota RAV4')).toBeLessThan(-1);
  });

  test('a detail that a post names by three synonyms gets the same points as a detail that the post names by one word', () => {
    const found = 'Box | with banknotes | Sinza';
    expect(points('said', 'Box | money | Sinza', found)).toBe(points('said', 'Box | money, cash, noti | Sinza', found));
  });

  test.each([
    ['material', 'Vase | made of clay', 'Vase | plastic'],
    ['species', 'Ndoo | ya dagaa', 'Ndoo | ya sangara'],
    ['grain', 'Bucket | with maize', 'Bucket | with rice'],
    ['faith', 'Pendant | of a mosque', 'Pendant | of a church'],
    ['denomination', 'Stamp | lutheran', 'Stamp | anglican'],
    ['the animal shown on the thing', 'Fimbo | kichwa cha simba', 'Fimbo | kichwa cha tembo'],
    ['condition', 'Simu | kioo kizima', 'Simu | kioo kimepasuka chote'],
  ])('a difference in %s counts against a match', (_, lost, found) => {
    expect(points('opposites', lost, found)).toBeLessThan(0);
    expect(points('opposites', lost, lost)).toBeCloseTo(0);
  });

  test('“fish” does not contradict “dagaa”, which is a kind of fish', () => {
    expect(points('opposites', 'Ndoo | ya samaki', 'Ndoo | ya dagaa')).toBeCloseTo(0);
  });

  test.each([
    ['Helmet | ina jina BABU G nyuma', ['babu']],
    ['Power bank | kibandiko cha jina VICKY', ['vicky']],
    ['Life jacket | stencilled MV CHAKE, orange', ['chake']],
    ['HELMET | INA JINA BABU G', []],
  ])(
    'a name in capitals is read as writing on the thing, unless the whole post is in capitals (text of the post: “%s”)',
    (side, writing) => {
      expect(read(side).writing).toEqual(writing);
    },
  );

  test.each([
    ['Helmet | Bolt written. ITV stop', ['bolt']],
    ['Pete | imeandikwa ndani NEEMA na tarehe ya mwezi wa nane', ['neema']],
    ['Presha | it says Kirando HC', ['kirando']],
    ['Presha | ina maandishi meupe DMO Kisarawe', ['dmo', 'kisarawe']],
  ])('words before or after a word such as “written” are read as writing on the thing: %s', (side, writing) => {
    expect(read(side).writing).toEqual(writing);
  });

  test('the initials “S.K.M” contradict the name “MZEE NGOSHA” on the other thing; the initials “M.N” do not contradict the name', () => {
    const saw = 'Saw | burnt MZEE NGOSHA | Geita';
    expect(points('writing', saw, 'Saw | burnt S.K.M | Geita')).toBeLessThan(0);
    expect(points('writing', saw, 'Saw | burnt M.N | Geita')).toBe(0);
    expect(points('writing', 'Saw | burnt J.K.M | Geita', 'Saw | wood. JKM | Geita')).toBe(0);
  });

  test('letters burnt into an animal are read as initials, and “left thigh” is read as the left side of the animal’s body', () => {
    expect(read('Bull | alama ya moto TL').values).toContainEqual({ slot: 'initials', value: 'tl' });
    expect(read('Bull | brand KB on left thigh').values).toEqual(
      expect.arrayContaining([
        { slot: 'initials', value: 'kb' },
        { slot: 'side', value: 'left' },
      ]),
    );
  });

  test('completely different contents of two containers count against a match', () => {
    const bucket = 'Bucket | with a torch and a hammer | Sinza';
    expect(points('contents', bucket, 'Bucket | with a book and a dress | Sinza')).toBeLessThan(0);
    expect(points('contents', bucket, 'Bucket and a torch | with a hammer | Sinza')).toBe(0);
  });

  test('two detailed posts that share only the kind of thing, colour, make and place are a possible match without a notice', () => {
    const lost = 'Grey backpack | Jansport, gym clothes, a torch and a shaker | Upanga';
    const found = 'Grey backpack | Jansport, nursing notes, white uniform, an umbrella | Upanga';
    expect(points('thin', lost, found)).toBeLessThan(0);
    expect(judge(lost, found, 300).confidence).toBe('possible');
    expect(points('thin', `${lost} | Asha Juma`, `${found} | Asha Juma`)).toBe(0);
    expect(points('thin', 'Grey backpack | | Upanga', 'Grey backpack | | Upanga')).toBe(0);
  });
});

test.each([
  ['Friji ya Zebumi', ['zebumi']],
  ['Zebumi fridge, blue', []],
  ['Nimepoteza Zebumi fridge', ['zebumi']],
  ['Friji | ni chapa Zebumi', ['zebumi']],
  ['Friji | ni chapa ya Zebumi', ['zebumi']],
  ['Friji | brand is the zebumi', ['zebumi']],
  ['Friji | kampuni Zebumi', ['zebumi']],
  ['Friji | make Zebumi', ['zebumi']],
  ['Friji yangu zebumi', []],
  ['Friji. Zebumi', []],
  ['FRIJI ZEBUMI', []],
  ['Friji | chapa Zb', []],
  ['Friji | chapa Samsung', []],
  ['Friji | chapa Asha', []],
])(
  'in “%s” these words are read as the make (brand) of the thing, although the lexicon lacks them: %j',
  (side, makers) => expect(read(side).makers).toEqual(makers),
);

test.each([
  ['shule ya Kadiro', ['kadiro']],
  ['shule ya msingi Kadiro', ['kadiro']],
  ['Kadiro Secondary', ['kadiro']],
  ['Mkombozi Hardware', ['mkombozi']],
  ['ya St Mary', ['mary']],
  ['ya St. Mary', ['mary']],
  ['ya Jangwani Girls', ['Jangwani Girls, Ilala']],
  ['ya Jangwani Girls, shule ya Kadiro', ['Jangwani Girls, Ilala']],
  ['ya st mary', []],
  ['ya St Xy', []],
  ['shule, Kadiro', []],
  ['Kadiro, Secondary', []],
  ['shule ya kadiro', []],
  ['shule ya Ab', []],
  ['Kubwa Secondary', []],
])('a uniform described as “%s” is read as belonging to the school or firm %j', (said, issuers) =>
  expect(read(`Uniform | ${said}`).issuers).toEqual(issuers),
);
