import { CANDIDATES_MAX, FEWEST_WITH_VALUE, NEWEST_PER_TERM, valuesOf } from '#worker/matching/find-candidates.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { type Judgement, judgePair } from '#worker/matching/judging/match-rules.ts';
import type { Competition } from '#worker/matching/judging/probability.ts';
import { type PostReading, readPost } from '#worker/matching/reading/read-post.ts';
import { type Rate, rateAmong } from './rates.ts';
import type { FixturePair } from './read-fixtures.ts';

export type JudgedPair = FixturePair & {
  readings: { lost: PostReading; found: PostReading };
  judgement: Judgement;
  /** Whether the matching index finds each post of the pair when the other post is looked up. */
  sharesTerm: boolean;
  /** Whether the lost post's list of matches begins with this found post. */
  isFirst: boolean;
};

/** A lost post and a found post that belong to different pairs, although their match causes a notice. */
export type CrossMatch = { lost: FixturePair; found: FixturePair; judgement: Judgement };

export type Figures = {
  /** The listed matches: sure and possible. */
  listed: { recall: Rate; firstPlace: Rate; lookAlikes: Rate };
  /** The matches that cause a notice: only sure ones. */
  told: { recall: Rate; precision: Rate; lookAlikes: Rate };
  sharedTerm: Rate;
};

export type Measured = { judged: JudgedPair[]; crossMatches: CrossMatch[]; competition: Competition };

/**
 * Judges each pair. Also judges each lost post against all other found posts that share a term of the matching index
 * with the lost post.
 */
export function judgeSet(pairs: readonly FixturePair[]): Measured {
  const readings = pairs.map(({ lost, found }) => ({ lost: readPost(lost), found: readPost(found) }));
  const index = new FoundIndex();
  for (const { found } of readings) index.add(found);
  const competition = index.competition();
  const crossMatches: CrossMatch[] = [];
  const judged = pairs.map((pair, at) => {
    const own = readings[at] ?? { lost: readPost(pair.lost), found: readPost(pair.found) };
    const judgement = judgePair(own.lost, own.found, competition);
    const others = index.candidatesOf(lookupTerms(own.lost)).flatMap((other) => {
      const [found, reading] = [pairs[other], readings[other]?.found];
      if (other === at || found === undefined || reading === undefined) return [];
      return [{ lost: pair, found, judgement: judgePair(own.lost, reading, competition) }];
    });
    crossMatches.push(...others.filter((other) => other.judgement.confidence === 'sure'));
    const sharesTerm = areBroughtTogether(own.lost, own.found);
    const isBest = others.every((other) => other.judgement.score < judgement.score);
    const isFirst = sharesTerm && isListed(judgement) && isBest;
    return { ...pair, readings: own, judgement, sharesTerm, isFirst };
  });
  return { judged, crossMatches, competition };
}

/**
 * Computes the figures. If the two posts of a pair share no term of the matching index, the Worker never compares them,
 * so the pair counts as neither listed nor notified.
 */
export function figuresOf(judged: readonly JudgedPair[]): Figures {
  const same = judged.filter(({ isSame }) => isSame);
  const lookAlikes = judged.filter(({ isSame }) => !isSame);
  const isToldOf = ({ judgement, sharesTerm }: JudgedPair): boolean => sharesTerm && judgement.confidence === 'sure';
  const isShown = ({ judgement, sharesTerm }: JudgedPair): boolean => sharesTerm && isListed(judgement);
  return {
    listed: {
      recall: rateAmong(same, isShown),
      firstPlace: rateAmong(same, ({ isFirst }) => isFirst),
      lookAlikes: rateAmong(lookAlikes, isShown),
    },
    told: {
      recall: rateAmong(same, isToldOf),
      precision: rateAmong(judged.filter(isToldOf), ({ isSame }) => isSame),
      lookAlikes: rateAmong(lookAlikes, isToldOf),
    },
    sharedTerm: rateAmong(same, ({ sharesTerm }) => sharesTerm),
  };
}

function isListed({ confidence }: Judgement): boolean {
  return confidence !== null;
}

function areBroughtTogether(lost: PostReading, found: PostReading): boolean {
  const [ofLost, ofFound] = [new Set(indexTerms(lost)), new Set(indexTerms(found))];
  return lookupTerms(lost).some((term) => ofFound.has(term)) && lookupTerms(found).some((term) => ofLost.has(term));
}

/** An index of the found posts by term, like the table `match_terms`. Numbers the posts in the order of `add` calls. */
export class FoundIndex {
  #size = 0;
  readonly #byTerm = new Map<string, number[]>();
  readonly #byValue = new Map<string, number>();

  add(reading: PostReading): void {
    for (const term of indexTerms(reading)) {
      const posts = this.#byTerm.get(term) ?? [];
      posts.push(this.#size);
      if (posts.length > NEWEST_PER_TERM) posts.shift();
      this.#byTerm.set(term, posts);
    }
    for (const value of valuesOf(reading)) this.#byValue.set(value, (this.#byValue.get(value) ?? 0) + 1);
    this.#size += 1;
  }

  /**
   * Returns the posts with the most shared terms, newest first among equals, like worker/matching/find-candidates.ts.
   */
  candidatesOf(terms: readonly string[]): number[] {
    const shared = new Map<number, number>();
    for (const term of terms) {
      for (const post of this.#byTerm.get(term) ?? []) shared.set(post, (shared.get(post) ?? 0) + 1);
    }
    return [...shared]
      .sort(([a, left], [b, right]) => right - left || b - a)
      .slice(0, CANDIDATES_MAX)
      .map(([post]) => post);
  }

  competition(): Competition {
    return {
      openPosts: this.#size,
      shareOf: (value) => {
        const count = this.#byValue.get(value) ?? 0;
        return count < FEWEST_WITH_VALUE ? null : count / this.#size;
      },
    };
  }
}
