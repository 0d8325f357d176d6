import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { call, type Person } from './support/api.ts';
import { claimed, read, take } from './support/claims.ts';

/** The person has seen all numbers of the day. */
async function useUp({ id }: Person): Promise<void> {
  await env.DB.prepare(
    `insert into given_numbers (reader_id, day_ends_at, post_count) values (?1, ?2, 1000)
     on conflict (reader_id, day_ends_at) do update set post_count = 1000`,
  )
    .bind(id, endOfDay(Date.now()))
    .run();
}

async function givenTo({ id }: Person) {
  const row = await env.DB.prepare('select post_seqs, post_count from given_numbers where reader_id = ?')
    .bind(id)
    .first();
  return row ?? { post_seqs: ',', post_count: 0 };
}

async function numberOf(post: Post, person: Person): Promise<string | null> {
  return (await (await call('GET', `/api/posts/${post.id}`, undefined, person)).json<Post>()).phone_number;
}

test('an accepted claim’s number counts nowhere and is there beyond the day’s', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'accept', finder);
  await read(id, claimant);
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
  expect(await givenTo(claimant)).toEqual({ post_seqs: ',', post_count: 0 });
  await useUp(claimant);
  expect((await read(id, claimant)).phone_number).toBe(post.phone_number);
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
});

test('withdrawn after it was accepted, it counts, once, and beyond the day’s too', async () => {
  const { id, finder, claimant, post } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'withdraw', claimant);
  const { seq } = (await env.DB.prepare('select seq from posts where id = ?')
    .bind(post.id)
    .first<{ seq: number }>()) ?? {
    seq: 0,
  };
  expect(await givenTo(claimant)).toEqual({ post_seqs: `,${seq},`, post_count: 1 });
  expect(await numberOf(post, claimant)).toBe(post.phone_number);
  expect(await givenTo(claimant)).toEqual({ post_seqs: `,${seq},`, post_count: 1 });
  const second = await claimed();
  await take(second.id, 'accept', second.finder);
  await useUp(second.claimant);
  await take(second.id, 'withdraw', second.claimant);
  expect(await givenTo(second.claimant)).toMatchObject({ post_count: 1001 });
});

test('withdrawn before, nothing counts', async () => {
  const { id, claimant } = await claimed();
  await take(id, 'withdraw', claimant);
  expect(await givenTo(claimant)).toEqual({ post_seqs: ',', post_count: 0 });
});
