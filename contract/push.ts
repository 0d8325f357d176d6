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

/** `GET /api/push/key`: what a browser subscribes with: the uncompressed P-256 point, base64url. */
export const pushKeySchema = z.object({ public_key: z.string() });
export type PushKey = z.infer<typeof pushKeySchema>;

/** `PUT /api/push/subscriptions`: as the browser's own `PushSubscription.toJSON()` has it. */
export const pushSubscriptionSchema = z.object({
  endpoint: endpointSchema,
  keys: z.object({ p256dh: keySchema, auth: keySchema }, { error: 'push_key_invalid' }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** `DELETE /api/push/subscriptions`. */
export const endedPushSubscriptionSchema = z.object({ endpoint: endpointSchema });

/** What the service worker is sent, once decrypted: nothing of a post, for lock screens are public. */
export type PushMessage = {
  type: LiveMessage['type'];
  /** The notice's, and its notification's tag. */
  id: string;
  title: string;
  body: string;
  /** A path on our origin. */
  url: string;
  language: Language;
  /** It comes in the person's quiet hours. */
  silent: boolean;
};
