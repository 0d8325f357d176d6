/** Repeatable random numbers: the same seed gives the same sequence (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 up to, but not including, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  isLucky(chance: number): boolean {
    return this.next() < chance;
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as Item;
  }
}

export type Percentiles = { p50: number; p95: number; p99: number; most: number };

/** Returns the percentiles by the nearest-rank method; NaN without values. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), most: rank(1) };
}

/** Formats percentiles as a row of a Markdown table, in whole milliseconds. NaN becomes a dash. */
export function showMs({ p50, p95, p99, most }: Percentiles): string {
  return [p50, p95, p99, most].map((ms) => (Number.isNaN(ms) ? '–' : `${Math.round(ms)} ms`)).join(' | ');
}
