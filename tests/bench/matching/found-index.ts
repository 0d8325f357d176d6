import { CANDIDATES_MAX, FEWEST_WITH_VALUE, NEWEST_PER_TERM, valuesOf } from '#worker/matching/find-candidates.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import type { Competition } from '#worker/matching/judging/probability.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';

/** Open found posts by the number in which they came, as `match_terms` holds them. */
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
