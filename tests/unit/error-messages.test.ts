import { expect, test } from 'vitest';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { toErrorBody } from '#worker/http/error-body.ts';

test('the detail of one wrong field is its message, and the limit is in it', () => {
  const error = new AppError('validation_failed', { fields: [{ field: 'title', message: 'text_too_long', max: 120 }] });
  expect(toErrorBody(error, 'sw')).toEqual({
    code: 'validation_failed',
    detail: 'Maandishi ni marefu mno: yasizidi herufi 120.',
    errors: [{ field: 'title', message: 'Maandishi ni marefu mno: yasizidi herufi 120.' }],
  });
});

test('an error without fields has none, and its status is the catalogue’s', () => {
  const error = new AppError('email_taken');
  expect(toErrorBody(error, 'en')).toEqual({
    code: 'email_taken',
    detail: 'An account with this email already exists.',
  });
  expect(error.status).toBe(409);
  expect(invalidField('password', 'password_common').status).toBe(422);
});
