/** Off they can be on a local Worker alone, for load tests. */
type Config = { areRateLimitsOn: boolean };

/** @returns the limit; null while limits are off. */
export function inForce<Limit>(config: Config, limit: Limit): Limit | null {
  return config.areRateLimitsOn ? limit : null;
}

/** @returns how many are allowed; while limits are off, more than ever happen. */
export function maxInForce(config: Config, max: number): number {
  return inForce(config, max) ?? Number.MAX_SAFE_INTEGER;
}
