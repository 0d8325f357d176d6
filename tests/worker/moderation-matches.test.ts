import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { call, newPerson, newPost } from './support/api.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { lostAndFound } from './support/live.ts';
import { decide, toldTo } from './support/moderation.ts';

test('what nobody had read of a post is withdrawn when it is hidden, and told again when it is restored', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const own = await newPost(loser, { ...lost, posted_by: 'owner' });
  const { id } = await newPost(finder, { ...found, posted_by: 'finder' });
  const matches = async () => (await call('GET', `/api/posts/${own.id}/matches`, undefined, loser)).json<unknown[]>();
  await expect.poll(async () => (await toldTo(loser)).length).toBe(1);
  await decide('hide', id, admin);
  await expect.poll(() => toldTo(loser)).toEqual([]);
  expect(await matches()).toEqual([]);
  const kept = async () =>
    env.DB.prepare('select count(*) as n from match_terms where post_seq = (select seq from posts where id = ?)')
      .bind(id)
      .first('n');
  expect(await kept()).toBe(0);
  await decide('restore', id, admin);
  await expect.poll(async () => (await toldTo(loser)).map(({ type }) => type)).toEqual(['matching_post']);
  expect(await matches()).toHaveLength(1);
  await expect.poll(kept).toBeGreaterThan(0);
});

test('a hidden post is matched with nothing that comes, and with all of it once it is restored', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const { id } = await newPost(finder, { ...found, posted_by: 'finder' });
  await decide('hide', id, admin);
  const own = await newPost(loser, { ...lost, posted_by: 'owner' });
  const matches = async () => (await call('GET', `/api/posts/${own.id}/matches`, undefined, loser)).json<unknown[]>();
  expect(await matches()).toEqual([]);
  await decide('restore', id, admin);
  await expect.poll(async () => (await matches()).length).toBe(1);
});
