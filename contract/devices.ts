import * as z from 'zod/mini';
import { timeSchema } from './time.ts';

/** `GET /api/me/devices`: where the account is signed in, one entry per sign-in. */
export const deviceSchema = z.object({
  id: z.string(),
  /** Such as "Chrome, Android"; empty for an unknown browser. */
  name: z.string(),
  created_at: timeSchema,
  /** Accurate to the hour. */
  last_seen_at: timeSchema,
  /** Whether it makes this request. */
  is_this: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;
