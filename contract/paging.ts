import * as z from 'zod/mini';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts';

const error = 'limit_invalid';
const limitSchema = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/, { error, abort: true })),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.minimum(1, { error }), z.maximum(PAGE_SIZE_MAX, { error })),
    ),
  ),
  PAGE_SIZE_DEFAULT,
);

/** For lists ordered by row number: `cursor` is the number of the last row of the previous page. */
export const pageQueryShape = {
  cursor: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};
export const pageQuerySchema = z.object(pageQueryShape);
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** For lists ordered by time: `cursor` is `milliseconds.id` of the last row of the previous page. */
export const timePageShape = {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,100}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};
