import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { newPerson } from '#tests/worker/support/api.ts';
import { pairsOf, savePost } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';

test('matching a post parses the post’s own text once, and no candidate post’s text, because parsing is expensive', async () => {
  // Vitest has loaded the Worker before this file, without the spy, so this test loads the modules again.
  vi.resetModules();
  vi.doMock('#worker/matching/reading/read-post.ts', { spy: true });
  const { readPost } = await import('#worker/matching/reading/read-post.ts');
  const { matchPost } = await import('#worker/matching/match-post.ts');
  const [owner, finder] = [await newPerson(), await newPerson()];
  const found = { posted_by: 'finder', title: 'Found a black Tecno phone' };
  const mine = await savePost(owner, { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi' });
  const others = [await savePost(finder, found), await savePost(finder, found)];
  for (const id of others) await matchPost(env, openDb(env), id);
  vi.mocked(readPost).mockClear();

  await matchPost(env, openDb(env), mine);

  expect(await pairsOf(mine)).toHaveLength(2);
  const read = vi.mocked(readPost).mock.calls.map(([post]) => post);
  expect(read).toMatchObject([{ id: mine }]);
});
