import { AppError } from '#worker/errors/app-error.ts';

/** What the same Idempotency-Key has made before, or what the making needs. */
export type Look<Needed, Made> = { made: Made } | { needed: Needed };

/**
 * Makes something in two round trips, however many requests ask for it at the same time.
 * @param look throws where it may not be made.
 * @param make null when another request came between the two trips: it has made this one impossible, or is this one.
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
