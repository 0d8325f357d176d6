import * as z from 'zod/mini';

/** The password that whoever holds a session is asked for again. */
export const currentPasswordSchema = z
  .string({ error: 'password_required' })
  .check(z.minLength(1, { error: 'password_required' }));
