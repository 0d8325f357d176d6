import { describe, expect, test } from 'vitest';
import type { PostKind } from '#contract/kinds.ts';
import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';
import { indexTerms, lookupTerms, nearCells, ownCells } from '#worker/matching/index-terms.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { indexWords, wordsShortenedTo, wordsWithin } from '#worker/matching/words/word-index.ts';
import { consonantSkeleton, isSubsequence } from '#worker/matching/words/word-keys.ts';
import { read } from './make-post.ts';

const RICH =
  'Begi la bluu, jekundu na jeusi la Nike na Adidas | AC1234567, BC7654321, DC1112223, EC9998887; laptop ya HP, funguo, jina Asha Juma Omari na Rehema Said Ally | Sinza, Mwenge, Ubungo na Kariakoo';
const PLAIN =
  'Begi na mwavuli | lina funguo, nguo, kitabu; zulufuna abekodi lamitoru gopesuna dofikela | Sinza kwa Zebuki Wamore Tolifa';

/** Returns the kind of each part of a term, in order. */
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

test('the index terms of a post with many details include terms of every kind, such as numbers, names and places', () => {
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

test('a post with many details is indexed with the maximum of 52 terms, and its matches are searched with the maximum of 26 terms', () => {
  expect(indexTerms(read(PLAIN))).toHaveLength(52);
  const kinds = [...new Set(indexTerms(read(PLAIN)).map(kindOf))];
  expect(kinds).toEqual(
    expect.arrayContaining(['place thing', 'place word', 'word thing', 'cell family', 'word', 'word family']),
  );
  const lookedUp = lookupTerms(read(PLAIN)).map(kindOf);
  expect(lookedUp).toHaveLength(26);
  expect(tally(lookupTerms(read(PLAIN))).word).toBeGreaterThanOrEqual(3);
});

test('if the lexicon lacks the thing of a post, at most five words of the title become index terms', () => {
  const terms = indexTerms(read('Zulufuna abekodi | nudavisa gopesuna dofikela habumoti'));
  expect(terms.map(kindOf)).toEqual(Array(5).fill('word'));
  expect(terms[0]).toBe('w:zlfn');
});

test('through the match index a post about a NIDA card and a post about an unspecified identity card find each other', () => {
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

test('the index terms of a person’s name are its first part and every pair of its parts; initials are ignored', () => {
  const names = (owner: string): string[] =>
    lookupTerms(read(`Kadi | | kwetu | ${owner}`)).filter((term) => term.startsWith('n:'));
  expect(names('Asha Juma Mushi')).toEqual(['n:as+jm', 'n:as+ms', 'n:jm+ms', 'n:as']);
  expect(names('Asha')).toEqual(['n:as']);
  expect(names('A. Juma')).toEqual(['n:jm']);
});

test('the index term of a serial or document number is its last four characters', () => {
  expect(indexTerms(read('Kadi | AC1234567 | kwetu'))).toContain('#4567');
  expect(lookupTerms(read('Kadi | ending 4567 | kwetu'))).toContain('#4567');
});

test('the match index has no map cell for a place that is unknown or larger than a map cell', () => {
  expect(ownCells('Sinza, Ubungo')).toHaveLength(1);
  expect([ownCells('Dar es Salaam'), nearCells('Dar es Salaam'), ownCells('nowhere'), nearCells('nowhere')]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test('the match index is searched first in the map cell of a post’s place, and then in the three nearest cells', () => {
  const near = nearCells('Sinza, Ubungo');
  expect(new Set(near).size).toBe(4);
  expect(near[0]).toBe(ownCells('Sinza, Ubungo')[0]);
  expect(near).toContain(ownCells('Mwenge, Kinondoni')[0]);
});

/** Returns whether the search works in both directions: each post must find the other, because either may be newer. */
function meet(lost: string, found: string): boolean {
  const [left, right] = [read(lost), read(found)];
  const isFound = (asking: typeof left, other: typeof left): boolean => {
    const stored = new Set(indexTerms(other));
    return lookupTerms(asking).some((term) => stored.has(term));
  };
  return isFound(left, right) && isFound(right, left);
}

test.each([
  ['a detail for which the posts use two synonyms', 'Zulufuna | with a gourd | Babati', 'Abekodi | kibuyu | Babati'],
  [
    'a thing that one post is about and the other post mentions',
    'Begi | | Machame',
    'Kubogesa | in a green bag | Machame',
  ],
  ['a colour alone', 'Zulufuna | nyeusi | Goba', 'Abekodi | black | Goba'],
  ['a code on the thing', 'Zulufuna | 7C | Kurasini', 'Abekodi | "7C" on it | Kurasini'],
  ['the writing on the thing', 'Sufuria | MAMA KADIRO | Kisutu', 'Abekodi | painted on it KADIRO | Libya street'],
  ['a village beside its town', 'Begi | zulufuna | Igombe, Mwanza', 'Abekodi | zulufuna | near Igombe'],
  [
    'a town that one of the posts names beside a ward',
    'Ndama | baka | Majengo, Mto wa Mbu',
    'Zulufuna | baka | Mto wa Mbu',
  ],
  ['one end of a route', 'Zulufuna | mbuzi | Zanzibar to Dar', 'Abekodi | goat | Dar'],
  ['the thing and a detail, without a place', 'Thermos | zulufuna |', 'Chupa ya chai | zulufuna | Goba'],
  ['a known word that is the name of a place', 'Thermos | | Nundu', 'Chupa ya chai | | njiani Nundu, Goba'],
])('through the match index two posts find each other by a common feature: %s', (_, lost, found) => {
  expect(meet(lost, found)).toBe(true);
});

test('through the match index two posts do not find each other if they have no index term in common', () => {
  expect(meet('Zulufuna | black | Goba', 'Abekodi | red | Goba')).toBe(false);
  expect(meet('Zulufuna | black | Goba', 'Abekodi | black | Babati')).toBe(false);
});

const EVERY_NTH = 13;
const words = [...getLexicon().vocabulary.keys()].filter((word, at) => at % EVERY_NTH === 0 && !word.startsWith('*'));
const index = indexWords(words);
const plain = (word: string): string => word.replace(/^-/, '');

/** The edit distance by its definition, with the full table. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + cost));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(cell(i, j), cell(i - 2, j - 2) + 1);
    }
  }
  return cell(a.length, b.length);
}

/** Returns one misspelling of the word for each kind of typo. The position of the typo depends on `at`. */
function misspelt(word: string, at: number): string[] {
  const place = at % Math.max(1, word.length - 1);
  const [before, after] = [word.slice(0, place), word.slice(place)];
  return [
    before + after.slice(1),
    `${before}m${after}`,
    `${before}o${after.slice(1)}`,
    before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
    `${before}${after.slice(1)}u`,
  ];
}

const written = words.filter((_, at) => at % 40 === 0).flatMap((word, at) => misspelt(plain(word), at));

test('for a typed word the word index finds exactly the words that differ by at most the allowed number of typos', () => {
  expect(written.length).toBeGreaterThan(100);
  for (const limit of [1, 2]) {
    for (const one of written) {
      const near = words.filter(
        (word) => Math.abs(plain(word).length - one.length) <= limit && slipsBetween(one, plain(word)) <= limit,
      );
      expect(
        wordsWithin(index, one, limit)
          .map(({ word }) => word)
          .sort(),
        one,
      ).toEqual(near.sort());
    }
  }
});

test('for an abbreviation without vowels, the word index finds exactly the words that the abbreviation may stand for', () => {
  const short = words.filter((_, at) => at % 4 === 0).map((word) => consonantSkeleton(plain(word)));
  for (const one of short) {
    const meant = words.filter(
      (word) => consonantSkeleton(word) === consonantSkeleton(one) && isSubsequence(one, word),
    );
    expect(wordsShortenedTo(index, one).sort(), one).toEqual(meant.sort());
  }
});

test('for a misspelt word the word index returns the correctly spelt word and the number of typos', () => {
  const some = indexWords(['-kubwa', 'pochi']);
  expect(wordsWithin(some, 'kubwaa', 1)).toEqual([{ word: '-kubwa', target: 'kubwa', edits: 1 }]);
  expect(wordsWithin(some, 'pcohi', 2)).toEqual([{ word: 'pochi', target: 'pochi', edits: 1 }]);
  expect(wordsWithin(some, 'pochi', 0)).toEqual([{ word: 'pochi', target: 'pochi', edits: 0 }]);
});

describe('reading the kind of a thing', () => {
  const kindOf = (post: Pick<MatchablePost, 'title' | 'description'>) =>
    readKind(
      readPost({
        location: 'Dar es Salaam',
        owner_first_name: '',
        owner_last_name: '',
        posted_by: 'owner',
        created_at: 0,
        ...post,
      }),
    );

  test.each(KIND_POSTS)('the kind is %s for the title “%s” and the description “%s”', (kind, title, description) => {
    expect(kindOf({ title, description })).toBe(kind);
  });

  test('each demo post has the kind that is read from its title and description', () => {
    expect(DEMO_POSTS.map(kindOf)).toEqual(DEMO_POSTS.map(({ kind }) => kind));
  });

  test.each([
    ['the first of two things decides the kind', 'Begi na laptop', '', 'bag'],
    ['the contents of a thing do not decide the kind', 'Wallet', 'A passport and keys are in it', 'bag'],
    ['the place where a thing was left does not decide the kind', 'Miwani', 'Nimeiacha kwenye gari', 'wear'],
    ['a make alone decides the kind', 'Infinix Hot 30', '', 'electronics'],
    [
      'the description decides the kind if the title names no thing',
      'Imepotea leo asubuhi',
      'Ni pasipoti ya Tanzania',
      'document',
    ],
    ['unknown words give the kind “other”', 'Xyzzy', '', 'other'],
  ])('the kind of a post follows the rule “%s”', (_what, title, description, kind) => {
    expect(kindOf({ title, description })).toBe(kind);
  });
});

const word = (...reasons: object[]) => wordReasons(JSON.stringify(reasons));

test.each([
  [
    { kind: 'item', key: 'thing phone' },
    { kind: 'item', en: 'phone', sw: 'simu' },
  ],
  [
    { kind: 'colour', key: 'colour black' },
    { kind: 'colour', en: 'black', sw: 'nyeusi' },
  ],
  [
    { kind: 'name', text: 'Asha Juma' },
    { kind: 'name', en: 'Asha Juma', sw: 'Asha Juma' },
  ],
  [
    { kind: 'date', day: '2026-11-05' },
    { kind: 'date', en: '5 November', sw: '5 Novemba' },
  ],
])('the stored match reason %j is turned into an English and a Swahili text', (stored, worded) => {
  expect(word(stored)).toEqual([worded]);
});

test('a match reason is omitted if its word is no longer in the lexicon', () => {
  expect(word({ kind: 'item', key: 'thing gone-for-good' }, { kind: 'item', key: 'nothing' })).toEqual([]);
});

/** Realistic posts, with their obvious kind. None was written to fit the word lists. */
const KIND_POSTS: readonly [kind: PostKind, title: string, description: string][] = [
  ['document', 'Nimepoteza kitambulisho cha taifa', 'Kimeanguka kwenye daladala ya Mbagala, jina Asha Juma.'],
  ['document', 'Lost passport', 'Tanzanian passport, lost between the airport and Posta. Please help.'],
  ['document', 'Leseni ya udereva imeokotwa', 'Ina jina la Peter Mushi, ipo kwa bodaboda wa Sinza.'],
  ['document', 'ATM card found at NMB Mlimani', 'Name on the card: Grace M.'],
  ['document', 'Cheti cha kidato cha nne', 'Kilikuwa ndani ya bahasha ya kaki, nimekisahau stendi ya Morogoro.'],
  ['document', 'University ID and library card', 'UDSM student, left in the canteen'],
  ['document', 'Kadi ya gari T 482 DKL', 'Imepotea maeneo ya Ubungo'],
  ['document', 'Hati ya kiwanja', 'Nyaraka za kiwanja zimepotea wakati wa kuhama, Goba.'],
  ['document', 'Kadi ya bima ya afya NHIF', 'Ya mtoto, imeokotwa Amana hospitali.'],
  ['document', 'Birth certificate of a child', 'Found in a plastic folder near the RITA office.'],
  ['document', 'Bahasha yenye vyeti vya shule', 'Bahasha ya kaki yenye vyeti vya form four na form six'],
  ['document', 'Voter card', 'Picked up on the road at Kimara Mwisho'],
  ['electronics', 'Simu Tecno Spark imepotea', 'Nyeusi, ina kava ya bluu. Imepotea Kariakoo.'],
  ['electronics', 'Samsung Galaxy A14', 'I left it in a Bolt car last night, screen is cracked'],
  ['electronics', 'iPhone 11 found', 'White one, locked, found at Coco Beach'],
  ['electronics', 'Laptop HP imesahaulika', 'Kwenye basi la Dar kwenda Arusha, rangi ya fedha'],
  ['electronics', 'Earpods', 'White airpods in their case, lost at the gym'],
  ['electronics', 'Flash ya GB 32', 'Ina kazi zangu za chuo, nimeisahau stationery'],
  ['electronics', 'Camera Canon', 'Black camera with a strap, left on the ferry to Zanzibar'],
  ['electronics', 'Nimeokota kitochi', 'Kitochi cha Itel kidogo, Mwenge karibu na posta'],
  ['electronics', 'Power bank Oraimo', '20000mAh, black, lost on the BRT bus'],
  ['electronics', 'Tablet ya mtoto', 'Ina kava ya pinki yenye sikio, imeachwa kanisani'],
  ['electronics', 'Radio ndogo ya Sony', 'Ya mzee wangu, imepotea sokoni Tandale'],
  ['bag', 'Begi jeusi la mgongoni', 'Lina nguo na madaftari, nimelisahau kwenye mwendokasi'],
  ['bag', 'Brown wallet lost', 'There was some money and two cards in it'],
  ['bag', 'Pochi ya mama nyekundu', 'Imeokotwa Mlimani City sakafu ya chini'],
  ['bag', 'Suitcase left at the bus terminal', 'Blue suitcase with a red ribbon, Magufuli terminal'],
  ['bag', 'Mkoba wa kike', 'Rangi ya kahawia, una vipodozi na kanga ndani'],
  ['bag', 'Found a handbag', 'Small black handbag, inside: lipstick, keys, tissue'],
  ['bag', 'Waleti imepotea', 'Ina leseni, kitambulisho cha NIDA na elfu hamsini'],
  ['bag', 'School bag', 'Pink with a picture of a princess, found on Haile Selassie road'],
  ['bag', 'Sanduku la nguo', 'Limeanguka kwenye gari njiani Chalinze'],
  ['bag', 'Purse', 'It has my bank cards and an ID, lost in Arusha market'],
  ['key', 'Funguo za gari', 'Toyota, zina remote na kishikizo cha ngozi'],
  ['key', 'Bunch of keys', 'Five keys on a ring with a bottle opener, found at Samora avenue'],
  ['key', 'Ufunguo wa pikipiki', 'Boxer, umepotea Temeke mwisho'],
  ['key', 'House keys lost', 'Two keys with a green tag'],
  ['key', 'Nimeokota funguo za nyumba', 'Ziko tatu kwenye uzi mwekundu'],
  ['key', 'Key of a padlock', 'Small brass key marked Solex'],
  ['key', 'Funguo za ofisi', 'Zimesahaulika juu ya meza ya benki CRDB'],
  ['key', 'Car key with remote', 'Nissan, lost in the parking of Aga Khan hospital'],
  ['wear', 'Viatu vya mtoto', 'Raba nyeupe saizi 28, zimeachwa uwanjani'],
  ['wear', 'Gold ring', 'Wedding ring with initials J & M, lost while swimming'],
  ['wear', 'Miwani ya macho', 'Fremu nyeusi, ipo kwenye kasha la kahawia'],
  ['wear', 'Saa ya mkononi Casio', 'Ya kiume, mkanda wa chuma'],
  ['wear', 'Jacket left in class', 'Grey hoodie, Nike, size L'],
  ['wear', 'Hereni ya dhahabu', 'Moja tu, imeanguka ukumbini wakati wa harusi'],
  ['wear', 'Kofia ya Yanga', 'Imesahaulika kwenye daladala'],
  ['wear', 'Sunglasses', 'Ray-Ban, brown, in a black case'],
  ['wear', 'Koti la mvua', 'Rangi ya njano, limeachwa mgahawani'],
  ['wear', 'Silver necklace with a cross', 'Lost on Msasani beach'],
  ['wear', 'Nimepoteza cheni', 'Cheni ya dhahabu ya shingoni, Manzese'],
  ['animal', 'Mbwa amepotea', 'Mweupe mwenye mkanda mwekundu, jina lake Simba'],
  ['animal', 'Lost cat', 'Grey with white paws, answers to Pili. Masaki.'],
  ['animal', 'Ng’ombe wawili', 'Wameonekana shambani kwangu, wana alama masikioni'],
  ['animal', 'Two goats found', 'One brown and one black, tied near the village office'],
  ['animal', 'German shepherd puppy', 'Four months old, ran away from Mikocheni'],
  ['animal', 'Kuku watano', 'Wameingia kwenye banda langu, Kigamboni'],
  ['animal', 'Kasuku ameruka', 'Kasuku wa kijivu, anaongea, Oysterbay'],
  ['animal', 'Punda amepatikana', 'Punda mmoja, yupo kwa mwenyekiti wa kijiji'],
  ['vehicle', 'Pikipiki imeibiwa', 'Boxer nyekundu MC 345 CBA, Tabata'],
  ['vehicle', 'Stolen car Toyota IST', 'Silver, T 123 DFG, last seen in Mbezi'],
  ['vehicle', 'Baiskeli', 'Phoenix nyeusi, imeachwa nje ya msikiti'],
  ['vehicle', 'Bajaji imepotea', 'TVS king ya bluu, ilikuwa imepaki Buguruni'],
  ['vehicle', 'Bicycle found', 'Mountain bike, blue, no chain'],
  ['vehicle', 'Gari aina ya Noah', 'Nyeupe, imeibiwa usiku nyumbani Kinyerezi'],
  ['vehicle', 'Guta la mizigo', 'Guta la magurudumu matatu limeibiwa sokoni'],
  ['vehicle', 'My motorbike was taken', 'Honda, red, from the parking at Kariakoo'],
  ['other', 'Mwavuli', 'Mweusi mkubwa, umesahaulika benki'],
  ['other', 'Umbrella left on the bus', 'Red with white dots'],
  ['other', 'Biblia', 'Ina jina la Neema, nimeikuta kanisani'],
  ['other', 'Guitar', 'Acoustic, in the taxi from the airport'],
  ['other', 'Ndoo mbili za plastiki', 'Zimeachwa kisimani'],
  ['other', 'Walking stick', 'Wooden with a carved lion head'],
  ['other', 'Mpira wa miguu', 'Adidas, umeingia uwanja wa jirani'],
  ['other', 'Money found', 'Some cash near the ATM, tell me how much and where'],
  ['other', 'Kitabu cha hesabu', 'Form three, kimeachwa maktaba'],
  ['other', 'Wheelchair', 'Folding wheelchair, left at the hospital gate'],
  ['other', 'Mtungi wa gesi', 'Mdogo wa Oryx, umeanguka kwenye bodaboda'],
  ['other', 'Sacks of maize', 'Three sacks fell from a lorry near Kibaha'],
  ['other', 'Kitu kimepotea', 'Naomba msaada jamani'],
];
