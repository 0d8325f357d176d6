import * as z from 'zod/mini';
import {
  accountPhoneSchema,
  currentPasswordSchema,
  emailSchema,
  newPasswordSchema,
  textSchema,
  timeSchema,
} from './fields.ts';
import { LANGUAGES } from './language.ts';
import { USERNAME_MAX_CHARS } from './limits.ts';
import { evidenceShape } from './recovery.ts';

const usernameSchema = textSchema({ max: USERNAME_MAX_CHARS, required: 'username_required' });

export const registrationSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  whatsapp_number: accountPhoneSchema,
  password: newPasswordSchema,
  ...evidenceShape,
});
export type Registration = z.infer<typeof registrationSchema>;

/** The sign-in form. Its `username` is the account's e-mail (docs/product.md A1). */
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
  /**
   * Whether this Worker sends e-mails. Without e-mails, the user cannot prove an e-mail address or switch on e-mail
   * notices.
   */
  is_email_available: z.boolean(),
  /** Null after another account has proven the number. Without a number the user can read but not write. */
  whatsapp_number: z.nullable(z.string()),
  is_whatsapp_verified: z.boolean(),
  /** The language of messages to the user. */
  language: z.enum(LANGUAGES),
  is_platform_admin: z.boolean(),
  is_suspended: z.boolean(),
  /** Why a platform admin suspended the account; null unless suspended. */
  suspension_reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type Me = z.infer<typeof meSchema>;

/** `PATCH /api/me`: omitted fields stay unchanged. */
export const meChangeSchema = z.object({
  username: z.optional(usernameSchema),
  language: z.optional(z.enum(LANGUAGES, { error: 'language_invalid' })),
});
export type MeChange = z.infer<typeof meChangeSchema>;

/** `GET /api/me/devices`: where the account is signed in, one entry for each sign-in. */
export const deviceSchema = z.object({
  id: z.string(),
  /** A name such as "Chrome, Android"; empty for an unknown browser. */
  name: z.string(),
  created_at: timeSchema,
  /** When the device was last used, rounded to the hour. */
  last_seen_at: timeSchema,
  /** Whether this device sent the request. */
  is_this: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** The body of `POST /api/me/export` and `DELETE /api/me`, both of which require the password again. */
export const passwordAgainSchema = z.object({ current_password: currentPasswordSchema });

const recordSchema = z.record(z.string(), z.unknown());
const listSchema = z.array(recordSchema);

/**
 * The file that users download with all data stored about them. Only people read the file, so the fields of its entries
 * may change.
 */
export const exportSchema = z.looseObject({
  me: recordSchema,
  devices: listSchema,
  posts: listSchema,
  photos: listSchema,
  communities: listSchema,
  claims: listSchema,
  notices: listSchema,
  reports: listSchema,
  blocks: listSchema,
  settings: recordSchema,
  push: listSchema,
});
export type Export = z.infer<typeof exportSchema>;
