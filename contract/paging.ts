import * as z from 'zod/mini';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts';

const limitSchema = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/, { error: 'limit_invalid', abort: true })),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.minimum(1, { error: 'limit_invalid' }), z.maximum(PAGE_SIZE_MAX, { error: 'limit_invalid' })),
    ),
  ),
  PAGE_SIZE_DEFAULT,
);

/** A page of a list in the order of its rows' numbers: `cursor` is that of the last row before it. */
export const pageQueryShape = {
  cursor: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};
export const pageQuerySchema = z.object(pageQueryShape);
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** A page of a list in the order of a time: `cursor` is `milliseconds.id` of the last row before it. */
export const timePageShape = {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,64}$/, { error: 'cursor_invalid' }))),
  limit: limitSchema,
};
