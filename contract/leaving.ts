import * as z from 'zod/mini';
import { currentPasswordSchema } from './current-password.ts';

/** The body of `POST /api/me/export` and `DELETE /api/me`. */
export const passwordAgainSchema = z.object({ current_password: currentPasswordSchema });

const recordSchema = z.record(z.string(), z.unknown());
const listSchema = z.array(recordSchema);

/**
 * All stored data of a person. The entries are for people to read: their fields are not a stable interface. Anything
 * that the person does not have is an empty list.
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
