import type { PostInput } from './posts.ts';

/**
 * The fields of a post that its author writes: each one has the same name in the form, in the API and in the table. The
 * community is not among them, as it is given as a code but stored as an id.
 */
export const WRITTEN_FIELDS = [
  'title',
  'owner_first_name',
  'owner_last_name',
  'location',
  'phone_number',
  'description',
  'posted_by',
] as const satisfies readonly (keyof PostInput)[];
