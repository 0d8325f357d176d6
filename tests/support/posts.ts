import type * as z from 'zod/mini';
import { type Post, type PostInput, postSchema } from '#contract/posts.ts';

/** Fields that are always present and may be null. */
type Nulls<Fields> = {
  [Name in keyof Fields as null extends Fields[Name] ? (undefined extends Fields[Name] ? never : Name) : never]: null;
};

/** Returns null for each field that is always present and may be null, so that tests need not list these fields. */
export function nullsOf<Fields>({ shape }: { shape: Record<string, z.ZodMiniType> }): Nulls<Fields> {
  const names = Object.keys(shape).filter(
    (name) => shape[name]?.safeParse(null).success && !shape[name].safeParse(undefined).success,
  );
  return Object.fromEntries(names.map((name) => [name, null])) as Nulls<Fields>;
}

/** The fields of a post that are always present and may be null, each with the value null. */
export const NO_DETAILS = nullsOf<Post>(postSchema);

let posts = 0;

/** A unique post, as a signed-in user receives it. */
export function aPost(overrides: Partial<Post> = {}): Post {
  const number = ++posts;
  return {
    ...NO_DETAILS,
    id: `post-${number}`,
    title: `Simu nyeusi ${number}`,
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Kariakoo',
    phone_number: '0712345678',
    is_author_proven: true,
    is_contact_limited: false,
    description: 'Ina kava la bluu',
    posted_by: 'finder',
    kind: 'electronics',
    on_behalf: false,
    is_found: false,
    state: stateOf(overrides),
    contact: 'number',
    is_mine: false,
    is_hidden: false,
    hidden_by: [],
    photos: [],
    created_at: new Date().toISOString(),
    ...overrides,
  };
}

function stateOf({ is_found, is_hidden }: Partial<Post>): Post['state'] {
  if (is_found) return 'returned';
  return is_hidden ? 'hidden' : 'open';
}

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
