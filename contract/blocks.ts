import * as z from 'zod/mini';
import { timeSchema } from './time.ts';

/** A person whom the caller has blocked; only the newest `BLOCKS_LISTED_MAX` are listed. */
export const blockSchema = z.object({
  id: z.string(),
  /** The title of the post, or the name in the claim, by which they were blocked. */
  name: z.string(),
  created_at: timeSchema,
});
export type Block = z.infer<typeof blockSchema>;
