import type { PostInput } from '#contract/posts.ts';

/** A valid post by a finder. */
export const somePost: Omit<PostInput, 'kind' | 'kept_at' | 'on_behalf' | 'claim_question' | 'private_marks'> = {
  title: 'Simu ya Tecno nyeusi imeokotwa',
  owner_first_name: '',
  owner_last_name: '',
  location: 'Kariakoo, Dar es Salaam',
  phone_number: '0712345678',
  description: 'Ina kava la bluu',
  posted_by: 'finder',
  community_code: null,
};
