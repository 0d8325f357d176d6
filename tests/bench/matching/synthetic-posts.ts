import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { foldText } from '#worker/matching/words/tokens.ts';

/** Things, each with its approximate relative frequency among lost things. */
const THINGS: ReadonlyArray<readonly [string, number]> = [
  ['phone', 26],
  ['nida', 9],
  ['driving-licence', 6],
  ['voter-card', 5],
  ['bank-card', 6],
  ['wallet', 8],
  ['handbag', 5],
  ['backpack', 7],
  ['keys', 7],
  ['laptop', 4],
  ['form-four-certificate', 3],
  ['glasses', 2],
  ['watch', 2],
  ['shoes', 3],
  ['goat', 2],
  ['cow', 2],
  ['umbrella', 1],
  ['bicycle', 1],
  ['passport', 1],
];
const COLOURS = ['black', 'black', 'black', 'blue', 'white', 'red', 'brown', 'green', 'grey', 'gold'];
const WRITTEN_AT = Date.UTC(2026, 10, 10, 9);

/** Returns a function whose random numbers are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Creates posts like those of a whole country, in both languages. Some things, names and places are frequent. */
export function syntheticPosts(count: number, random: () => number): MatchablePost[] {
  const { places, names, brands } = getLexicon();
  const spots = [...places.values()].filter((place) => place.latitude !== null && !place.isBig);
  const people = [...new Set(names.values())];
  const phoneMakes = [...brands.values()].filter((brand) => brand.makes[0] === 'phone').map((brand) => brand.id);
  const often = <T>(list: T[]): T => list[Math.floor(list.length * random() ** 2)] as T;
  return Array.from({ length: count }, () => {
    const thing = weighted(random());
    const isSwahili = random() < 0.6;
    const isNamed = getLexicon().things.get(thing)?.isNamed ?? false;
    const make = thing === 'phone' ? often(phoneMakes) : '';
    const colour = isNamed ? '' : often(COLOURS);
    return {
      title: titleOf(thing, colour, make, isSwahili),
      description: '',
      location: often(spots).name,
      owner_first_name: isNamed ? often(people) : '',
      owner_last_name: isNamed ? often(people) : '',
      posted_by: random() < 0.5 ? ('owner' as const) : ('finder' as const),
      created_at: WRITTEN_AT,
    };
  });
}

function weighted(at: number): string {
  const total = THINGS.reduce((sum, [, weight]) => sum + weight, 0);
  let left = at * total;
  for (const [thing, weight] of THINGS) {
    left -= weight;
    if (left < 0) return thing;
  }
  return 'phone';
}

function titleOf(thing: string, colour: string, make: string, isSwahili: boolean): string {
  const { things, colours } = getLexicon();
  const [item, look] = [things.get(thing)?.labels, colours.get(colour)?.labels];
  const words = isSwahili ? [item?.sw, make, look?.sw] : [look?.en, make, item?.en];
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}

/** A post from which new posts are derived, and the names of the people in the post. */
type Pattern = { post: MatchablePost; people: string[][] };

export type Parts = { patterns: Pattern[]; locations: string[]; firstNames: string[]; lastNames: string[] };

const WORD = /[\p{L}\p{M}'’]+/gu;
const NUMBER = /\d{3,}/g;
/** Round sums and years. Many posts share such numbers, so `recombine` keeps them. */
const SUM_OR_YEAR = /00$|^(?:19[5-9]|20[0-4])\d$/;

/** @param posts the posts of one side: all by owners, or all by finders. */
export function partsOf(posts: readonly MatchablePost[]): Parts {
  const patterns = posts.map((post) => ({ post, people: readPost(post).persons.map(({ names }) => names) }));
  const full = patterns.flatMap(({ people }) => people).filter((names) => names.length > 1);
  return {
    patterns,
    locations: posts.map(({ location }) => location).filter((location) => location !== ''),
    firstNames: full.flatMap((names) => names.slice(0, 1)),
    lastNames: full.flatMap((names) => names.slice(1)),
  };
}

/** Returns a new post: the thing of one post, the place of another, and random names and numbers. */
export function recombine({ patterns, locations, firstNames, lastNames }: Parts, random: () => number): MatchablePost {
  const any = <T>(list: readonly T[]): T => list[Math.floor(list.length * random())] as T;
  const anyDigit = (): string => String(Math.floor(10 * random()));
  const { post, people } = any(patterns);
  const renamed = new Map<string, string>();
  for (const names of people) {
    for (const [at, name] of names.entries()) {
      if (!renamed.has(name)) renamed.set(name, any(at === 0 ? firstNames : lastNames));
    }
  }
  const vary = (text: string): string =>
    text
      .replace(WORD, (word) => likeIt(word, renamed.get(foldText(word))))
      .replace(NUMBER, (typed) => (SUM_OR_YEAR.test(typed) ? typed : typed.replace(/\d/g, anyDigit)));
  return {
    ...post,
    title: vary(post.title),
    description: vary(post.description),
    location: any(locations),
    owner_first_name: vary(post.owner_first_name),
    owner_last_name: vary(post.owner_last_name),
  };
}

function likeIt(word: string, name: string | undefined): string {
  if (name === undefined) return word;
  return /^\p{Lu}/u.test(word) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}
