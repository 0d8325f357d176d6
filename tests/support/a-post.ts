import type * as z from 'zod/mini';
import { type Post, postSchema } from '#contract/posts.ts';

/** The fields that are always there and may be null. */
type Nulls<Fields> = {
  [Name in keyof Fields as null extends Fields[Name] ? (undefined extends Fields[Name] ? never : Name) : never]: null;
};

/** Returns null for each field that is always there and may be null. A new one needs no line in tests that are not about it. */
export function nullsOf<Fields>({ shape }: { shape: Record<string, z.ZodMiniType> }): Nulls<Fields> {
  const names = Object.keys(shape).filter(
    (name) => shape[name]?.safeParse(null).success && !shape[name].safeParse(undefined).success,
  );
  return Object.fromEntries(names.map((name) => [name, null])) as Nulls<Fields>;
}

/** What a post does not say, if it says only what it must. */
export const NO_DETAILS = nullsOf<Post>(postSchema);

let posts = 0;

/** A post like no other, as a signed-in reader gets it. */
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
