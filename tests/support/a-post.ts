import type { Post } from '#contract/posts.ts';

let posts = 0;

/** A post like no other, as a signed-in reader gets it. */
export function aPost(overrides: Partial<Post> = {}): Post {
  const number = ++posts;
  return {
    id: `post-${number}`,
    title: `Simu nyeusi ${number}`,
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Kariakoo',
    kept_at: null,
    phone_number: '0712345678',
    is_author_proven: true,
    is_contact_limited: false,
    contact_opens_at: null,
    description: 'Ina kava la bluu',
    posted_by: 'finder',
    kind: 'electronics',
    on_behalf: false,
    claim_question: null,
    community_code: null,
    community_name: null,
    is_found: false,
    state: stateOf(overrides),
    contact: 'number',
    is_mine: false,
    is_hidden: false,
    hidden_by: [],
    hidden_reason: null,
    photos: [],
    created_at: new Date().toISOString(),
    found_until: null,
    ...overrides,
  };
}

function stateOf({ is_found, is_hidden }: Partial<Post>): Post['state'] {
  if (is_found) return 'returned';
  return is_hidden ? 'hidden' : 'open';
}
