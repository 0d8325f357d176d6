/// <reference types="vite/types/importMeta.d.ts" />
import { env, exports } from 'cloudflare:workers';
import type { Photo } from '#contract/photos.ts';
import { type Caller, newPost, ORIGIN, type Person } from './api.ts';
import { checkAnswer } from './read-page.ts';

const FILES = import.meta.glob<string>('/tests/support/pictures/*.{jpg,png,webp,gif}', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** A picture of tests/support/pictures. */
export function picture(name: string): Uint8Array {
  const [, base64 = ''] = FILES[`/tests/support/pictures/${name}`]?.split(',') ?? [];
  if (base64 === '') throw new Error(`No picture ${name}`);
  return Buffer.from(base64, 'base64');
}

export async function sendPhoto(
  postId: string,
  { token, headers }: Caller,
  bytes: Uint8Array,
  { type = 'image/jpeg', alt = '' } = {},
): Promise<Response> {
  const url = `${ORIGIN}/api/posts/${postId}/photos${alt && `?${new URLSearchParams({ alt })}`}`;
  const answer = await exports.default.fetch(
    new Request(url, {
      method: 'POST',
      headers: { 'Content-Type': type, ...(token && { Authorization: `Bearer ${token}` }), ...headers },
      body: bytes,
    }),
  );
  await checkAnswer('POST', url, answer);
  return answer;
}

export async function newPhoto(postId: string, author: Person, name = 'grey.jpg', alt = ''): Promise<Photo> {
  const answer = await sendPhoto(postId, author, picture(name), { alt });
  if (answer.status !== 201) throw new Error(`Uploading answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Photo>();
}

/** A photo without its objects, for tests that need no picture. */
export async function insertPhoto(postId: string, author: { id: string }, position = 0): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
     values (?, ?, ?, ?, 320, 240, '', 1, 0)`,
  )
    .bind(id, postId, author.id, position)
    .run();
  return id;
}

export async function newPostWithPhoto(author: Person, overrides: Record<string, unknown> = {}) {
  const post = await newPost(author, overrides);
  return { post, photo: await newPhoto(post.id, author) };
}

/** Requests a picture like a browser. */
export function load(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { headers }));
}

export async function bytesAt(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await load(path)).arrayBuffer());
}

/** The names of all objects in the bucket. */
export async function objects(): Promise<string[]> {
  const { objects: listed } = await env.PHOTOS.list();
  return listed.map(({ key }) => key).sort();
}

export async function rows(table: 'photos' | 'photo_leftovers'): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(`select * from ${table}`).all()).results;
}
