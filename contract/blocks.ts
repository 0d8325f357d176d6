import * as z from 'zod/mini';
import { timeSchema } from './time.ts';

/** Somebody whom the caller has blocked: at most the newest `BLOCKS_LISTED_MAX` are listed. */
export const blockSchema = z.object({
  id: z.string(),
  /** The title of the post at which they were blocked: no more is known of them. */
  name: z.string(),
  created_at: timeSchema,
});
export type Block = z.infer<typeof blockSchema>;
