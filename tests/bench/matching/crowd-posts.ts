import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { foldText } from '#worker/matching/words/tokens.ts';

/** A post to derive others from, with the names in it. */
type Pattern = { post: MatchablePost; people: string[][] };

export type Parts = { patterns: Pattern[]; locations: string[]; firstNames: string[]; lastNames: string[] };

const WORD = /[\p{L}\p{M}'’]+/gu;
const NUMBER = /\d{3,}/g;
/** Values shared by many posts, which stay the same. */
const SUM_OR_YEAR = /00$|^(?:19[5-9]|20[0-4])\d$/;

/** @param posts of one side, owners' or finders'. */
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

/** Returns a post with one post's thing and its details, another's place, other names and its own numbers. */
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
