import * as z from 'zod/mini';
import { timeSchema } from './time.ts';

/** Accompanies a `phone_number`: whether it is null because the day's limit on numbers is used up, and until when. */
export const contactLimitShape = {
  is_contact_limited: z.boolean(),
  contact_opens_at: z.nullable(timeSchema),
};
