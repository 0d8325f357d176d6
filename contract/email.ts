import * as z from 'zod/mini';
import { emailSchema } from './accounts.ts';
import { LANGUAGES } from './language.ts';
import { timeSchema } from './time.ts';

const EMAIL_KINDS = ['confirm_email', 'match_notice', 'claim_notice'] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

const passwordSchema = z.string({ error: 'password_required' }).check(z.minLength(1, { error: 'password_required' }));

/** `POST /api/me/email`: sends a link to the account's future e-mail, or to the current one to prove it. */
export const emailChangeSchema = z.object({ email: emailSchema, current_password: passwordSchema });

/** `POST /api/auth/confirm-email`: the fragment of the link. */
export const emailConfirmationSchema = z.object({
  token: z.string({ error: 'code_required' }).check(z.trim(), z.minLength(1, { error: 'code_required' })),
});

export const localEmailQuerySchema = z.object({ to: z.optional(emailSchema) });

const localEmailContentShape = {
  to: z.string(),
  kind: z.enum(EMAIL_KINDS),
  subject: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  language: z.enum(LANGUAGES),
};
export type LocalEmailContent = z.infer<z.ZodMiniObject<typeof localEmailContentShape>>;

/** `GET /api/dev/emails`: the e-mails of the local transport. */
export const localEmailSchema = z.object({ ...localEmailContentShape, created_at: timeSchema });
export type LocalEmail = z.infer<typeof localEmailSchema>;
