import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { chooseLanguage } from '#worker/http/language.ts';
import { toValidationError } from '#worker/http/validate.ts';

function fieldsOf(schema: z.ZodMiniType, input: unknown) {
  const { error } = schema.safeParse(input);
  if (!error) throw new Error('nothing is wrong');
  return toValidationError(error).fields;
}

test('of each wrong field the first problem is told, and a limit with it', () => {
  const title = z.string().check(z.maxLength(3, 'text_too_long'), z.regex(/^\d+$/, 'code_invalid'));
  const schema = z.object({ title, place: z.object({ name: z.string('location_required') }) });
  expect(fieldsOf(schema, { title: 'abcd', place: {} })).toEqual([
    { field: 'title', message: 'text_too_long', max: 3 },
    { field: 'place.name', message: 'location_required' },
  ]);
});

test('what has no sentence of its own is an invalid text, and what is wrong as a whole is the body', () => {
  expect(fieldsOf(z.object({}), 'x')).toEqual([{ field: 'body', message: 'text_invalid' }]);
});

test('who asks for no language that there is gets the one that suits the place', () => {
  expect(chooseLanguage(undefined, 'sw')).toBe('sw');
  expect(chooseLanguage('fr', 'sw')).toBe('sw');
  expect(chooseLanguage('fr, en;q=0.1', 'sw')).toBe('en');
  expect(chooseLanguage(undefined)).toBe('en');
});
