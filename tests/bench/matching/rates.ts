/** A share, with the Wilson interval that contains the true rate in 95 of 100 cases. */
export type Rate = { hits: number; of: number; rate: number; low: number; high: number };

/** In a normal distribution, 95 of 100 cases are within this many standard deviations of the mean. */
const Z = 1.96;

/** If `of` is 0, the rate is 1: if there are no match notices, none of them is wrong. */
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
