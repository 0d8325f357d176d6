import type { PostInput } from './posts.ts';

/**
 * What an author writes of a post: each is a field of the form, of the API and a column of the table. Which community
 * it is for is not among them, as that is told otherwise than it is given.
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
