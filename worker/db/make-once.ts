import { AppError } from '#worker/errors/app-error.ts';

/** What the same Idempotency-Key has created before, or what is needed to create it. */
export type Look<Needed, Made> = { made: Made } | { needed: Needed };

/**
 * Creates something exactly once, in two round trips, however many requests try to at the same time.
 * @param look throws if it must not be created.
 * @param make returns null if a concurrent request came between the two trips and has created it, or has made it impossible.
 */
export async function makeOnce<Needed, Made>(
  look: () => Promise<Look<Needed, Made>>,
  make: (needed: Needed) => Promise<Made | null>,
): Promise<Made> {
  const before = await look();
  if ('made' in before) return before.made;
  const made = await make(before.needed);
  if (made !== null) return made;
  const after = await look();
  if ('made' in after) return after.made;
  throw new AppError('unavailable');
}
