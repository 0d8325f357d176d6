import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import fieldsEn from '#locales/en/fields.json';
import errorsEn from '#locales/en/outside/errors.json';
import fieldsSw from '#locales/sw/fields.json';
import errorsSw from '#locales/sw/outside/errors.json';

test.each([
  ['removed_from_community', [limits.REMOVAL_DAYS]],
  ['too_many_passkeys', [limits.PASSKEYS_MAX]],
  ['too_late', [limits.FOUND_UNDO_SECONDS / 60]],
  ['too_many_photos', [limits.PHOTOS_MAX, limits.PHOTOS_OF_PERSON_MAX]],
  ['photo_too_large', [limits.PHOTO_MAX_PIXELS / 1_000_000]],
] as const)('the error %s names the limit that holds, in both languages', (code, numbers) => {
  for (const errors of [errorsEn, errorsSw]) expect(numbersIn(errors[code])).toEqual(numbers);
});

test.each([
  ['identifier_invalid', [limits.IDENTIFIER_MIN_CHARS, limits.IDENTIFIER_MAX_CHARS, limits.IDENTIFIER_MIN_DIGITS]],
  ['password_too_short', [limits.PASSWORD_MIN_CHARS]],
  ['password_too_long', [limits.PASSWORD_MAX_CHARS]],
  ['limit_invalid', [1, limits.PAGE_SIZE_MAX]],
] as const)('the message %s names the limit that holds, in both languages', (key, numbers) => {
  for (const fields of [fieldsEn, fieldsSw]) expect(numbersIn(fields[key])).toEqual(numbers);
});

function numbersIn(sentence: string): number[] {
  return [...sentence.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
