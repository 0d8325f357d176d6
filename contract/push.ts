import * as z from 'zod/mini';
import type { Language } from './language.ts';
import { PUSH_ENDPOINT_MAX_CHARS, PUSH_KEY_MAX_CHARS } from './limits.ts';
import type { LiveMessage } from './live-messages.ts';

const endpointSchema = z
  .string({ error: 'endpoint_invalid' })
  .check(z.maxLength(PUSH_ENDPOINT_MAX_CHARS, { error: 'endpoint_invalid' }));
const keySchema = z
  .string({ error: 'push_key_invalid' })
  .check(z.maxLength(PUSH_KEY_MAX_CHARS, { error: 'push_key_invalid' }));

/** `GET /api/push/key`: the key that browsers subscribe with, an uncompressed P-256 point in base64url. */
export const pushKeySchema = z.object({ public_key: z.string() });
export type PushKey = z.infer<typeof pushKeySchema>;

/** `PUT /api/push/subscriptions`: in the form of the browser's `PushSubscription.toJSON()`. */
export const pushSubscriptionSchema = z.object({
  endpoint: endpointSchema,
  keys: z.object({ p256dh: keySchema, auth: keySchema }, { error: 'push_key_invalid' }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** `DELETE /api/push/subscriptions`. */
export const endedPushSubscriptionSchema = z.object({ endpoint: endpointSchema });

/** The decrypted message to the service worker. It contains nothing of a post, as anybody can see a lock screen. */
export type PushMessage = {
  type: LiveMessage['type'];
  /** The notice's id, which is also the notification's tag. */
  id: string;
  title: string;
  body: string;
  /** A path on our origin. */
  url: string;
  language: Language;
  /** Whether it is sent during the person's quiet hours. */
  silent: boolean;
};
