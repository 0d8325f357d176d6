import * as z from 'zod/mini';

/** The current password, required for some changes in addition to a session. */
export const currentPasswordSchema = z
  .string({ error: 'password_required' })
  .check(z.minLength(1, { error: 'password_required' }));
