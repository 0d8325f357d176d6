import type { BuiltLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { adjectiveStem } from '#worker/matching/words/swahili-morphology.ts';
import type { Finding, ReadList } from './list-lines.ts';
import { areApart, buildLists, entryPhrases, idsOf } from './named-entries.ts';

/**
 * Warns of phrases that consist of another thing's name and a quality: "round net" of any net would be read as the entry's
 * thing, and the quality lost. It may be intended.
 */
export function checkSwallowed(read: ReadList): Finding[] {
  const lexicon = buildLists(read);
  return entryPhrases('thing', read).flatMap(({ id, line, words }) => {
    const [swallowed] = nameAndQuality(lexicon, words).filter(({ thing }) => areApart(lexicon.things, id, thing));
    if (swallowed === undefined) return [];
    const { thing, quality } = swallowed;
    const says = `"${words.join(' ')}" of "${id}" is the name of "${thing}" and the quality "${quality}", which is lost.`;
    return [{ list: 'things' as const, line, says, isError: false }];
  });
}

/** All ways to read the words as a thing's name and a quality, in either order. */
function nameAndQuality(lexicon: BuiltLexicon, words: string[]): Array<{ thing: string; quality: string }> {
  return words.slice(1).flatMap((_, at) => {
    const [first, second] = [words.slice(0, at + 1), words.slice(at + 1)];
    const readAs = (name: string[], quality: string[]): Array<{ thing: string; quality: string }> =>
      isQuality(lexicon, quality)
        ? idsOf(lexicon, name, 'thing').map((thing) => ({ thing, quality: quality.join(' ') }))
        : [];
    return [...readAs(first, second), ...readAs(second, first)];
  });
}

/** Whether the words are a quality that can contradict others, such as red, small or leather. */
function isQuality(lexicon: BuiltLexicon, words: string[]): boolean {
  const [word = ''] = words;
  const stem = words.length === 1 ? adjectiveStem(word, lexicon.adjectiveStems) : null;
  return [words, ...(stem === null ? [] : [[stem]])].some(
    (shape) =>
      idsOf(lexicon, shape, 'thing').length === 0 &&
      (idsOf(lexicon, shape, 'colour').length > 0 ||
        idsOf(lexicon, shape, 'attribute').some((id) => lexicon.attributes.get(id)?.isExclusive)),
  );
}
