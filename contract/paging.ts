import * as z from 'zod/mini';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts';
import { wholeNumberSchema } from './whole-number.ts';

const limitSchema = wholeNumberSchema({ max: PAGE_SIZE_MAX, fallback: PAGE_SIZE_DEFAULT, error: 'limit_invalid' });

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
