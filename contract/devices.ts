import * as z from 'zod/mini';
import { timeSchema } from './time.ts';

/** `GET /api/me/devices`: where somebody is signed in to the account, one a sign-in. */
export const deviceSchema = z.object({
  id: z.string(),
  /** As "Chrome, Android"; empty where the browser says nothing that we know. */
  name: z.string(),
  created_at: timeSchema,
  /** To the hour. */
  last_seen_at: timeSchema,
  /** The one that asks. */
  is_this: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;
