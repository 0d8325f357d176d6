import { expect, test } from 'vitest';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';
import { buildLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { PhraseNode, Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { packLexicon, unpackLexicon } from '#worker/matching/lexicon/packed-lexicon.ts';
import type { BuiltNode } from '#worker/matching/lexicon/phrase-tree.ts';

const built = buildLexicon(readList);
const packed = packLexicon(built, 'of this test');
const unpacked = unpackLexicon(packed);

const meanings = (senses: Sense[]): string => senses.map(({ kind, lang, id }) => `${kind} ${lang} ${id}`).join('; ');

/** The phrases from this word on that do not mean the same in both. */
function unlikePhrases(phrase: string, node: BuiltNode, other: PhraseNode | undefined): string[] {
  const isSame = meanings(node.senses) === meanings(other?.senses ?? []);
  const longer = [...(node.next ?? [])].flatMap(([word, next]) =>
    unlikePhrases(`${phrase} ${word}`, next, other?.next?.get(word)),
  );
  return isSame ? longer : [phrase, ...longer];
}

test('every phrase of the lists means the same in the packed lexicon', () => {
  expect(built.phrases.next?.size).toBeGreaterThan(10_000);
  expect(unlikePhrases('', built.phrases, unpacked.phrases)).toEqual([]);
});

test('the packed lexicon has every word with its kinds, in their order', () => {
  const words = [...built.vocabulary.keys()];
  expect([...unpacked.vocabulary.keys()]).toEqual(words);
  expect(words.filter((word) => unpacked.vocabulary.get(word) !== built.vocabulary.get(word))).toEqual([]);
  expect([...unpacked.adjectiveStems, ...unpacked.verbStems]).toEqual([...built.adjectiveStems, ...built.verbStems]);
});

test.each(['things', 'colours', 'attributes', 'brands', 'concepts', 'opposites', 'places', 'names', 'chat'] as const)(
  'the packed lexicon has the same %s',
  (list) => {
    expect(unpacked[list]).toEqual(built[list]);
  },
);

test('a word that no list has is not in the packed lexicon, nor is what every object has', () => {
  for (const word of ['', 'xyzzy', 'constructor', '__proto__']) {
    expect(unpacked.vocabulary.get(word), word).toBeUndefined();
    expect(unpacked.phrases.next?.get(word), word).toBeUndefined();
  }
});

test('what the Worker loads was made from the lists as they are', () => {
  const loaded = getLexicon();
  expect([...loaded.vocabulary.keys()]).toEqual([...built.vocabulary.keys()]);
  expect(loaded.things).toEqual(built.things);
});
