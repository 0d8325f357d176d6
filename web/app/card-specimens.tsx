import type { Post } from '#contract/posts.ts';
import { FoundPost } from '#web/posts/found-post.tsx';
import { PostGrid } from '#web/posts/post-grid.tsx';

const LOST: Post = {
  id: 'lost',
  title: 'Mkoba',
  owner_first_name: 'Neema',
  owner_last_name: 'Mushi',
  location: 'Kariakoo',
  kept_at: 'Kituo cha polisi',
  phone_number: null,
  is_author_proven: null,
  is_contact_limited: false,
  contact_opens_at: null,
  description: 'Mweusi',
  posted_by: 'owner',
  kind: 'bag',
  on_behalf: true,
  claim_question: null,
  community_code: null,
  community_name: null,
  is_found: false,
  state: 'open',
  contact: 'number',
  is_mine: false,
  is_hidden: false,
  hidden_by: [],
  hidden_reason: null,
  photos: [],
  created_at: '2026-01-01T00:00:00.000Z',
  found_until: null,
};
const FOUND: Post = { ...LOST, id: 'found', posted_by: 'finder', contact: 'claim' };
const RETURNED: Post = { ...LOST, id: 'returned', is_found: true, state: 'returned' };

/** Cards with everything that one can have in the list, for the build to see which styles they need. */
export const cardSpecimens = (
  <PostGrid posts={[LOST, FOUND, RETURNED]} renderCard={(post) => <FoundPost post={post} />} />
);
