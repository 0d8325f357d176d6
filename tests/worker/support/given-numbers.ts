import { env } from 'cloudflare:workers';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { type Caller, call, newPerson, type Person } from './api.ts';
import { insertPosts } from './insert-posts.ts';

/** The posts that an answer carries, of whatever route. */
export async function postsIn(answer: Response): Promise<Post[]> {
  const body = await answer.json<Post | (PostEntry | PostMatch)[]>();
  return Array.isArray(body) ? body.map((entry) => entry.Post) : [body];
}

export async function readPosts(path: string, caller: Caller): Promise<Post[]> {
  return postsIn(await call('GET', path, undefined, caller));
}

/** The ids of the posts whose number is there. */
export function numbersIn(posts: Post[]): string[] {
  return posts.filter((post) => post.phone_number !== null).map((post) => post.id);
}

/** Somebody at an address of the network, which other people of the tests do not share. */
export async function newReader(address: string): Promise<Person & { headers: Record<string, string> }> {
  return { ...(await newPerson()), headers: { 'CF-Connecting-IP': address } };
}

export async function prove({ id }: Person): Promise<void> {
  await env.DB.prepare('insert or replace into phone_numbers (number, user_id, proven_at) values (?, ?, 1)')
    .bind(`+255${id}`, id)
    .run();
}

/** So many posts of somebody else's, newest first. */
export async function fillPosts(count: number, title = 'Simu nyeusi'): Promise<{ id: string; seq: number }[]> {
  const author = await newPerson();
  await insertPosts(
    author.id,
    Array.from({ length: count }, (_, index) => `${title} ${index}`),
  );
  const { results } = await env.DB.prepare('select id, seq from posts where author_id = ? order by seq desc')
    .bind(author.id)
    .all<{ id: string; seq: number }>();
  return results;
}

/** Pairs the post with the others as surely as can be. */
export async function pairWith(postId: string, others: string[]): Promise<void> {
  await env.DB.prepare(
    `insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, confidence, created_at)
     select lower(hex(randomblob(16))), ?1, value, 0.9, '[]', 'sure', 1 from json_each(?2)`,
  )
    .bind(postId, JSON.stringify(others))
    .run();
  await env.DB.prepare('update posts set match_pending_since = null where id = ?').bind(postId).run();
}
