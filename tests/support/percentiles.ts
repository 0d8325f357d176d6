export type Percentiles = { p50: number; p95: number; p99: number; most: number };

/** The nearest rank of each; of nothing they are no numbers. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), most: rank(1) };
}

/** As a table of Markdown has them, in whole milliseconds; a dash where nothing was measured. */
export function showMs({ p50, p95, p99, most }: Percentiles): string {
  return [p50, p95, p99, most].map((ms) => (Number.isNaN(ms) ? '–' : `${Math.round(ms)} ms`)).join(' | ');
}
