import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import {
  CARD_TEMPLATES_PATH,
  FEED_PAGE_SIZE,
  FIRST_POSTS_ID,
  FIRST_POSTS_PLACE,
  type FirstPosts,
} from '#contract/first-posts.ts';
import type { Post } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { ORIGIN } from './api.ts';
import { insertPhoto } from './photos.ts';
import { isForMembers, listed, maySee, presented } from './visibility-oracle.ts';
import { askApp, callerFor, read, type Way } from './visibility-world.ts';

// What is not below /api is the same for everybody, with a token or without.

/** Gives each post a photo for the time of looking. The address that a post's answer has opens it, the bare one where the post is public. */
const loadPhotos: Way = async (viewer, world) => {
  for (const post of world.posts.filter(({ fate }) => fate !== 'deleted')) {
    const id = await insertPhoto(post.id, world.people[post.author]);
    const path = `/photos/${id}.webp`;
    await env.PHOTOS.put(`${id}.webp`, post.mark);
    const bare = await askApp('GET', path, callerFor(viewer, world));
    expect([post.name, bare.status]).toEqual([post.name, maySee('visitor', post) ? 200 : 404]);
    const answer = await read(viewer, world, `/posts/${post.id}`);
    const { photos } = answer.ok ? await answer.json<Post>() : { photos: [] };
    expect([post.name, photos.map(({ url }) => url.split('?')[0])]).toEqual([post.name, answer.ok ? [path] : []]);
    for (const { url } of photos) expect([post.name, (await askApp('GET', url)).status]).toEqual([post.name, 200]);
    await env.DB.prepare('delete from photos where id = ?').bind(id).run();
    expect((await askApp('GET', path)).status).toBe(404);
  }
};

const openSharePages: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const answer = await askApp('GET', `/p/${post.id}`, callerFor(viewer, world));
    const isPublic = maySee('visitor', post);
    expect([post.name, answer.status]).toEqual([post.name, isPublic || isForMembers(post) ? 200 : 404]);
    const page = await answer.text();
    expect([post.name, page.includes(post.mark)]).toEqual([post.name, isPublic]);
    expect(page).not.toContain(post.input.phone_number);
  }
};

/** The page of the build at its smallest, without a place for cards, so that their templates may be empty. */
const ASSETS = {
  fetch: async ({ url }: Request) =>
    new URL(url).pathname === CARD_TEMPLATES_PATH
      ? Response.json({})
      : new Response(`<html><i ${FIRST_POSTS_PLACE}></i><div id="root"></div></html>`),
};

const openFirstPage: Way = async (viewer, world) => {
  const { token } = callerFor(viewer, world);
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  let page = '';
  const open = async () => {
    const request = new Request(`${ORIGIN}/view-posts`, { headers });
    const answer = await app.fetch(request, { ...env, ASSETS } as unknown as Env, createExecutionContext());
    page = await answer.text();
    return page;
  };
  // It waits for the posts only so long.
  await expect.poll(open, { timeout: 20_000 }).toContain(`id="${FIRST_POSTS_ID}"`);
  const [, data = ''] = new RegExp(`id="${FIRST_POSTS_ID}">(.*?)</script>`, 's').exec(page) ?? [];
  const expected = listed('visitor', world.posts)
    .slice(0, FEED_PAGE_SIZE)
    .map((post) => ({ Post: presented('visitor', post) }));
  expect((JSON.parse(data) as FirstPosts).entries).toEqual(expected);
};

export const PAGE_WAYS = {
  'GET /photos/:name': loadPhotos,
  'GET /p/:id': openSharePages,
  'GET /view-posts': openFirstPage,
} satisfies Record<string, Way>;
