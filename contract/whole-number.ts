import * as z from 'zod/mini';

/** A whole number from 1 to `max` in a query. */
export function wholeNumberSchema({ max, fallback, error }: { max: number; fallback: number; error: string }) {
  return z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/, { error, abort: true })),
      z.pipe(
        z.transform((digits: string) => Number(digits)),
        z.number().check(z.minimum(1, { error }), z.maximum(max, { error })),
      ),
    ),
    fallback,
  );
}
