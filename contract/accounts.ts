import * as z from 'zod/mini';
import { currentPasswordSchema } from './current-password.ts';
import { LANGUAGES } from './language.ts';
import { EMAIL_MAX_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS, USERNAME_MAX_CHARS } from './limits.ts';
import { evidenceShape } from './numbers.ts';
import { accountPhoneSchema } from './phone.ts';
import { textSchema } from './text.ts';
import { timeSchema } from './time.ts';

// Deliberately loose: an @ with something on both sides, and a dot after it. Only a message can prove an address.
// Invisible characters are refused, as nobody could type them again to sign in.
const EMAIL = /^(?!.*[\p{Cc}\p{Cf}\p{Cs}])[^\s@]+@[^\s@]+\.[^\s@.]+$/u;

export const emailSchema = z
  .string({ error: 'email_required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'email_required', abort: true }),
    z.maxLength(EMAIL_MAX_CHARS, { error: 'text_too_long', abort: true }),
    z.regex(EMAIL, { error: 'email_invalid' }),
  );

/** Checks only the length, not the composition (ASVS 6.2.5). The Worker also refuses common passwords. */
export const newPasswordSchema = z
  .string({ error: 'password_required' })
  .check(
    z.minLength(1, { error: 'password_required', abort: true }),
    z.minLength(PASSWORD_MIN_CHARS, { error: 'password_too_short' }),
    z.maxLength(PASSWORD_MAX_CHARS, { error: 'password_too_long' }),
  );

const usernameSchema = textSchema({ max: USERNAME_MAX_CHARS, required: 'username_required' });

export const registrationSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  whatsapp_number: accountPhoneSchema,
  password: newPasswordSchema,
  ...evidenceShape,
});
export type Registration = z.infer<typeof registrationSchema>;

/** The sign-in form: `username` is the e-mail (docs/product.md A1). */
export const signInSchema = z.object({
  username: z.string({ error: 'email_required' }).check(z.trim(), z.minLength(1, { error: 'email_required' })),
  password: z.string({ error: 'password_required' }).check(z.minLength(1, { error: 'password_required' })),
});
export type SignIn = z.infer<typeof signInSchema>;

export const registeredUserSchema = z.object({ id: z.string(), username: z.string(), email: z.string() });
export type RegisteredUser = z.infer<typeof registeredUserSchema>;

export const sessionSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  user_id: z.string(),
});
export type Session = z.infer<typeof sessionSchema>;

/** `POST /api/me/password`. The caller stays signed in; all other devices are signed out. */
export const passwordChangeSchema = z.object({
  current_password: currentPasswordSchema,
  new_password: newPasswordSchema,
});

/** `GET /api/me`: the caller's own account. */
export const meSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  is_email_proven: z.boolean(),
  /** Whether this Worker sends e-mails at all; if not, there is nothing to prove or to switch on. */
  is_email_available: z.boolean(),
  /** Null once another account has proven it; until it has a new one, the account can read but not write. */
  whatsapp_number: z.nullable(z.string()),
  is_whatsapp_verified: z.boolean(),
  /** The language of messages to the person. */
  language: z.enum(LANGUAGES),
  is_platform_admin: z.boolean(),
  is_suspended: z.boolean(),
  /** The platform admin's reason; null unless suspended. */
  suspension_reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type Me = z.infer<typeof meSchema>;

/** `PATCH /api/me`: fields that are left out stay unchanged. */
export const meChangeSchema = z.object({
  username: z.optional(usernameSchema),
  language: z.optional(z.enum(LANGUAGES, { error: 'language_invalid' })),
});
export type MeChange = z.infer<typeof meChangeSchema>;
