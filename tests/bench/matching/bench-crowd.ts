import { lookupTerms } from '#worker/matching/index-terms.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { bm25Search, measureBm25, type Search, substringSearch } from './baselines.ts';
import { FoundIndex } from './measure-matching.ts';
import { readSet, showPost } from './read-fixtures.ts';
import { type Parts, partsOf, randomFrom, recombine } from './synthetic-posts.ts';

/** For each run: the number of open found posts, and the number of lost posts that are compared with them. */
const CROWDS = [
  { open: 1_000, lost: 1_000 },
  { open: 10_000, lost: 1_000 },
  { open: 100_000, lost: 200 },
];
/** The number of lost posts for the baseline methods. They notify so often that a small sample is enough. */
const LOST_OF_BASELINES = 100;
/** The most matches listed for one post. */
const LISTED_MAX = 10;
const SEED = { lost: 1, found: 2 };

const pairs = readSet([]);
// Lost posts come from one half of the pairs and found posts from the other half. No two are about one thing, so every
// notice is wrong.
const lostParts = partsOf(pairs.filter((_, at) => at % 2 === 0).map(({ lost }) => lost));
const foundParts = partsOf(pairs.filter((_, at) => at % 2 === 1).map(({ found }) => found));
const bm25Cut = measureBm25(pairs).cut;
const isVerbose = process.argv.includes('--verbose');
const given = process.argv.slice(2).flatMap((argument) => (/^\d+$/.test(argument) ? [Number(argument)] : []));
console.log('Wrong ones per 1,000 lost posts');
console.log(['open found posts', 'told', 'listed', 'FTS5 bm25, best cut-off', 'substring'].join('\t'));
for (const { open, lost } of CROWDS.filter((crowd) => given.length === 0 || given.includes(crowd.open))) {
  const found = crowdOf(foundParts, open, SEED.found);
  const asked = crowdOf(lostParts, lost, SEED.lost);
  const ours = countWrong(asked, found);
  const sample = asked.slice(0, LOST_OF_BASELINES);
  const bm25 = countAbove(sample, bm25Search(found), bm25Cut);
  const substring = countAbove(sample, substringSearch(found), 1);
  console.log([open, ours.told, ours.listed, bm25, substring].map((count) => count.toLocaleString('en')).join('\t'));
}

function crowdOf(parts: Parts, count: number, seed: number): MatchablePost[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => recombine(parts, random));
}

/**
 * Counts the wrong matches per 1,000 lost posts. Analyses a found post again for each lost post that it is compared
 * with, because the analyses of 100,000 posts would not fit in memory.
 */
function countWrong(asked: MatchablePost[], found: MatchablePost[]): { told: number; listed: number } {
  const index = new FoundIndex();
  for (const post of found) index.add(readPost(post));
  const competition = index.competition();
  let [told, listed] = [0, 0];
  for (const post of asked) {
    const lost = readPost(post);
    const matches = index.candidatesOf(lookupTerms(lost)).flatMap((at) => {
      const other = found[at];
      if (other === undefined) return [];
      const { confidence } = judgePair(lost, readPost(other), competition);
      return confidence === null ? [] : [{ other, confidence }];
    });
    const sure = matches.filter(({ confidence }) => confidence === 'sure');
    if (isVerbose) for (const { other } of sure) console.error(`${showPost(post)}\n  ${showPost(other)}`);
    told += sure.length;
    listed += Math.min(matches.length, LISTED_MAX);
  }
  return { told: perThousand(told, asked), listed: perThousand(listed, asked) };
}

function countAbove(asked: MatchablePost[], search: Search, cut: number): number {
  const counts = asked.map((post) => [...search(post).values()].filter((score) => score >= cut).length);
  return perThousand(
    counts.reduce((sum, count) => sum + count, 0),
    asked,
  );
}

function perThousand(count: number, asked: MatchablePost[]): number {
  return Math.round((1_000 * count) / asked.length);
}
