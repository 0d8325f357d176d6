import * as z from 'zod/mini';
import { accountPhoneSchema, emailSchema, timeSchema } from './fields.ts';
import { NUMBER_CODE_KINDS } from './jobs.ts';
import { LANGUAGES, type Language } from './language.ts';
import { PUSH_ENDPOINT_MAX_CHARS, PUSH_KEY_MAX_CHARS } from './limits.ts';
import type { LiveMessage } from './live-messages.ts';

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const wantSchema = z.boolean({ error: 'yes_or_no' });
const clockSchema = z.nullable(z.string({ error: 'clock_invalid' }).check(z.regex(CLOCK, { error: 'clock_invalid' })));

/** `GET`, `PUT /api/me/notice-settings`: how to notify the user when no page is open. All fields are required. */
export const noticeSettingsSchema = z
  .object({
    push: wantSchema,
    whatsapp: wantSchema,
    email: wantSchema,
    /**
     * The start and end of quiet hours, such as "21:00", in Africa/Dar_es_Salaam; both null without quiet hours. May
     * span midnight.
     */
    quiet_from: clockSchema,
    quiet_to: clockSchema,
  })
  .check(
    z.refine(({ quiet_from, quiet_to }) => (quiet_from === null) === (quiet_to === null), {
      error: 'quiet_hours_halved',
      path: ['quiet_to'],
    }),
    z.refine(({ quiet_from, quiet_to }) => quiet_from === null || quiet_from !== quiet_to, {
      error: 'quiet_hours_empty',
      path: ['quiet_to'],
    }),
  );
export type NoticeSettings = z.infer<typeof noticeSettingsSchema>;

/** The settings of users who have never changed them. */
export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  push: true,
  whatsapp: false,
  email: true,
  quiet_from: '21:00',
  quiet_to: '06:00',
};

const EMAIL_KINDS = ['confirm_email', 'match_notice', 'claim_notice'] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

const passwordSchema = z.string({ error: 'password_required' }).check(z.minLength(1, { error: 'password_required' }));

/** `POST /api/me/email`: sends a link that proves an e-mail address, the account's current one or a new one. */
export const emailChangeSchema = z.object({ email: emailSchema, current_password: passwordSchema });

/** `POST /api/auth/confirm-email`. `token` is the part of the link after the #. */
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

/** `GET /api/dev/emails`: the e-mails that a development server stores instead of sending. */
export const localEmailSchema = z.object({ ...localEmailContentShape, created_at: timeSchema });
export type LocalEmail = z.infer<typeof localEmailSchema>;

const endpointSchema = z
  .string({ error: 'endpoint_invalid' })
  .check(z.maxLength(PUSH_ENDPOINT_MAX_CHARS, { error: 'endpoint_invalid' }));
const keySchema = z
  .string({ error: 'push_key_invalid' })
  .check(z.maxLength(PUSH_KEY_MAX_CHARS, { error: 'push_key_invalid' }));

/** `GET /api/push/key`: the server's public key for subscriptions, an uncompressed P-256 point in base64url. */
export const pushKeySchema = z.object({ public_key: z.string() });
export type PushKey = z.infer<typeof pushKeySchema>;

/** `PUT /api/push/subscriptions`: the output of the browser's `PushSubscription.toJSON()`. */
export const pushSubscriptionSchema = z.object({
  endpoint: endpointSchema,
  keys: z.object({ p256dh: keySchema, auth: keySchema }, { error: 'push_key_invalid' }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** The body of `DELETE /api/push/subscriptions`: the subscription to end. */
export const endedPushSubscriptionSchema = z.object({ endpoint: endpointSchema });

/** The push message after decryption. It quotes no post, because bystanders can read a lock screen. */
export type PushMessage = {
  type: LiveMessage['type'];
  /** The notice's id, also used as the notification's tag. */
  id: string;
  title: string;
  body: string;
  /** The page that opens when the user presses the notification, as a path on our origin. */
  url: string;
  language: Language;
  /** Whether the push makes no sound, because it is sent during the user's quiet hours. */
  silent: boolean;
};

/** The progress of sending a message. `accepted`: the channel's service, such as WhatsApp, has accepted the message. */
export type SendingStatus = 'waiting' | 'sending' | 'accepted' | 'failed';

/** What Meta reports about a WhatsApp message that it accepted. A status later in this list replaces an earlier one. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const localWhatsappMessageQuerySchema = z.object({ to: z.optional(accountPhoneSchema) });

/** `GET /api/dev/whatsapp-messages`: the messages that a development server stores instead of sending. */
export const localWhatsappMessageSchema = z.object({
  to: z.string(),
  kind: z.enum(['reset_code', ...NUMBER_CODE_KINDS, 'community_decision', 'match_notice', 'stopped', 'started']),
  language: z.enum(LANGUAGES),
  /** The reset code or verification code in the message; null if the message contains none. */
  code: z.nullable(z.string()),
  created_at: timeSchema,
});
export type LocalWhatsappMessage = z.infer<typeof localWhatsappMessageSchema>;

/** `POST /api/dev/whatsapp-incoming`: simulates a user's message. Without `from`, the sender's number is hidden. */
export const incomingMessageInputSchema = z.object({
  from: z.optional(z.nullable(accountPhoneSchema)),
  text: z.string({ error: 'text_invalid' }),
  forwarded: z.optional(z.boolean()),
});
