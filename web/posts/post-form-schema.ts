import * as z from 'zod/mini';
import { isIdentifier } from '#contract/identifiers.ts';
import { postInputSchema } from '#contract/posts.ts';

const typedIdentifierSchema = z
  .string()
  .check(z.refine((typed) => typed.trim() === '' || isIdentifier(typed), { error: 'identifier_invalid' }));

/** What the form checks: a post as it is sent, with each number in a field of its own. */
export const postFormSchema = z.extend(postInputSchema, {
  identifier: typedIdentifierSchema,
  second_identifier: typedIdentifierSchema,
});
