import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { call, newPerson, newPost, somePost } from '#tests/worker/support/api.ts';
import { deriveKind } from '#worker/matching/match-post.ts';

vi.mock('#worker/matching/match-post.ts', { spy: true });

afterEach(() => vi.mocked(deriveKind).mockClear());

/** Uses up every counter of a limit. */
async function useUp(limit: string): Promise<void> {
  await env.DB.prepare('update rate_counters set count = 1000000 where subject like ?').bind(`${limit}:%`).run();
}

test('if a person has used up their daily limit of new posts, a post is refused before the costly analysis of its text', async () => {
  const author = await newPerson();
  await newPost(author);
  await useUp('post');
  vi.mocked(deriveKind).mockClear();
  expect((await call('POST', '/api/posts', somePost, author)).status).toBe(429);
  expect(deriveKind).not.toHaveBeenCalled();
});

test('if a person has used up their daily limit of post changes, a change is refused before the costly analysis of the post’s text', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  expect((await call('PUT', `/api/posts/${id}`, somePost, author)).status).toBe(200);
  await useUp('post_update');
  vi.mocked(deriveKind).mockClear();
  expect((await call('PUT', `/api/posts/${id}`, somePost, author)).status).toBe(429);
  expect(deriveKind).not.toHaveBeenCalled();
});

test('a change of another person’s post is refused before the costly analysis of the new text', async () => {
  const [author, stranger] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author);
  vi.mocked(deriveKind).mockClear();
  expect((await call('PUT', `/api/posts/${id}`, somePost, stranger)).status).toBe(403);
  expect(deriveKind).not.toHaveBeenCalled();
});
