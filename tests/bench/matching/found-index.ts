import { FEWEST_WITH_VALUE, valuesOf } from '#worker/matching/competition.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import type { Competition } from '#worker/matching/judging/probability.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { CANDIDATES_MAX, NEWEST_PER_TERM } from '#worker/matching/store.ts';

/** Open found posts, known by their numbers in the order in which they came, as `match_terms` holds them. */
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

  /** Those that share the most terms, the newest first among equals, as worker/matching/store.ts finds them. */
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
