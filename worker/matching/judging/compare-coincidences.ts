import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isMadeBy } from '#worker/matching/lexicon/thing-relations.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-details.ts';
import { isSameName } from './compare-names.ts';
import type { Evidence } from './evidence.ts';
import { capitalise, NO_EVIDENCE, reasonOf } from './evidence.ts';

/** A code, an abbreviation or a proper name is hardly shared by chance; a word that merely no list knows may be. */
const MARK_WEIGHT = 1;
const WORD_WEIGHT = 0.5;
const NAME_POINTS = 0.5;
const SHORTEST_NAME = 4;
const MODEL_CODE = /^[a-z]+\d+[a-z]*$/;

/** How much two posts share that hardly two things in one place have in common. */
export type Coincidence = {
  /** Of make and model: shared by a phone and the cover that was made for it. */
  make: number;
  /** Rare words, names and firms: shared by what belongs together. */
  other: number;
  words: string[];
};

export function coincidenceOf(lost: PostReading, found: PostReading): Coincidence {
  const marks = new Set([...lost.marks, ...found.marks]);
  const heads = [...lost.heads, ...found.heads].flatMap((head) => head.ids);
  const right = [...found.words, ...makesOf(found)];
  const shared = [...new Set([...lost.words, ...makesOf(lost)])].filter((a) => right.some((b) => isSameWord(a, b)));
  const made = shared.filter((word) => isOfModel(word, heads));
  const words = shared.filter((word) => !made.includes(word));
  const furtherMakes = made.filter((word) => !MODEL_CODE.test(word)).slice(1);
  const isSameIssuer = lost.issuers.some((issuer) => found.issuers.includes(issuer) && !shared.includes(issuer));
  return {
    words: shared,
    make: made.length > 0 ? MARK_WEIGHT : 0,
    other:
      furtherMakes.length * MARK_WEIGHT +
      words.reduce((sum, word) => sum + (marks.has(word) ? MARK_WEIGHT : WORD_WEIGHT), 0) +
      (isSameIssuer ? MARK_WEIGHT : 0) +
      nameWeight(sharedName(lost, found)),
  };
}

/** "Kokubanza R." is read as no name, but where the other side names Kokubanza Rweyemamu it is one. */
export function compareNamesWithWords(lost: PostReading, found: PostReading): Evidence {
  const name = sharedName(lost, found);
  if (name === undefined) return NO_EVIDENCE;
  return { points: NAME_POINTS, reasons: [reasonOf('name', capitalise(name))] };
}

function makesOf(post: PostReading): string[] {
  const items = [...post.heads, post.unnamed, ...post.parts];
  const codes = items.flatMap((item) => [...item.models].flatMap(codeOf));
  return [...post.makes, ...items.flatMap((item) => [...item.brands].map((brand) => brand.toLowerCase())), ...codes];
}

/** A12, or the Samsung of a phone; the Azam on a cool box is none of its making. */
function isOfModel(word: string, heads: string[]): boolean {
  if (MODEL_CODE.test(word)) return true;
  return [...getLexicon().brands.keys()].some((brand) => brand.toLowerCase() === word && isMadeBy(heads, brand));
}

function codeOf(model: string): string[] {
  const code = model.replace('number ', '');
  return MODEL_CODE.test(code) ? [code] : [];
}

function sharedName(lost: PostReading, found: PostReading): string | undefined {
  return nameAmong(lost, found.words) ?? nameAmong(found, lost.words) ?? ownerOfBoth(lost, found);
}

/** The owner of two different papers may be one: there their name says nothing. */
function ownerOfBoth(lost: PostReading, found: PostReading): string | undefined {
  const { things } = getLexicon();
  if ([...lost.heads, ...found.heads].some((head) => head.ids.some((id) => things.get(id)?.isNamed))) return undefined;
  return nameAmong(
    lost,
    found.persons.flatMap((person) => person.names),
  );
}

function nameAmong(post: PostReading, words: string[]): string | undefined {
  const names = post.persons.flatMap((person) => person.names).filter((name) => name.length >= SHORTEST_NAME);
  return names.find((name) => words.some((word) => word.length >= SHORTEST_NAME && isSameName(name, word)));
}

/** There is a Juma everywhere, but hardly a second Kokubanza. */
function nameWeight(name: string | undefined): number {
  if (name === undefined) return 0;
  return getLexicon().names.has(name) ? WORD_WEIGHT : MARK_WEIGHT;
}
