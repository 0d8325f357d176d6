/** So many of so many, with the Wilson interval in which the true rate lies 95 times of 100. */
export type Rate = { hits: number; of: number; rate: number; low: number; high: number };

/** Standard deviations that hold 95 of 100 cases of the normal distribution. */
const Z = 1.96;

/** Of nothing everything is right: who tells nobody is never wrong. */
export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: 1, low: 0, high: 1 };
  const rate = hits / of;
  const centre = rate + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { hits, of, rate, low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

export function rateAmong<T>(list: readonly T[], isHit: (one: T) => boolean): Rate {
  return rateOf(list.filter(isHit).length, list.length);
}
