import { expect, test } from 'vitest';
import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { KIND_POSTS } from './kind-posts.ts';

const kindOf = (post: Pick<MatchablePost, 'title' | 'description'>) =>
  readKind(
    readPost({
      location: 'Dar es Salaam',
      owner_first_name: '',
      owner_last_name: '',
      posted_by: 'owner',
      created_at: 0,
      ...post,
    }),
  );

test.each(KIND_POSTS)('put under %s: %s', (kind, title, description) => {
  expect(kindOf({ title, description })).toBe(kind);
});

test('the demo posts stand under the kinds that their texts say', () => {
  expect(DEMO_POSTS.map(kindOf)).toEqual(DEMO_POSTS.map(({ kind }) => kind));
});

test.each([
  ['of two things the first counts', 'Begi na laptop', '', 'bag'],
  ['what is in a thing does not', 'Wallet', 'A passport and keys are in it', 'bag'],
  ['nor what it was on', 'Miwani', 'Nimeiacha kwenye gari', 'wear'],
  ['a make alone is enough', 'Infinix Hot 30', '', 'electronics'],
  ['the description tells where the title does not', 'Imepotea leo asubuhi', 'Ni pasipoti ya Tanzania', 'document'],
  ['words that no list knows', 'Xyzzy', '', 'other'],
])('%s', (_what, title, description, kind) => {
  expect(kindOf({ title, description })).toBe(kind);
});
