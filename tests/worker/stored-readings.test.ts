import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { openDb } from '#worker/db/client.ts';
import { readCompetition, refreshShares, valuesOf } from '#worker/matching/competition.ts';
import { renewReadings } from '#worker/matching/index.ts';
import { decodeReading, encodeReading } from '#worker/matching/reading/encode-reading.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import { call, newPerson } from './support/api.ts';
import { lostAndFound } from './support/live.ts';
import { pairsOf, postAndMatch } from './support/saved-posts.ts';

const db = openDb(env);
const PHONE = { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi', location: 'Manzese' } as const;

const readingOf = (postId: string) =>
  env.DB.prepare('select r.* from match_readings r join posts p on p.seq = r.post_seq where p.id = ?')
    .bind(postId)
    .first<{ post_seq: number; version: string; reading: string; agreeable: string }>();

const termsOf = async (postId: string) =>
  (
    await env.DB.prepare('select term from match_terms t join posts p on p.seq = t.post_seq where p.id = ?')
      .bind(postId)
      .all<{ term: string }>()
  ).results;

test('a reading comes back from the database as it was', () => {
  const reading = readPost({
    ...PHONE,
    description: 'Kioo kina ufa, IMEI 490154203237518, jina Asha Juma',
    owner_first_name: 'Asha',
    owner_last_name: 'Juma',
    created_at: Date.UTC(2026, 10, 10),
  });
  expect(decodeReading(encodeReading(reading))).toEqual(reading);
});

test('what an earlier version has read the sweep reads again, with its terms', async () => {
  const id = await postAndMatch(await newPerson(), PHONE);
  const before = await readingOf(id);
  await env.DB.batch([
    env.DB.prepare("update match_readings set version = '0', reading = '' where post_seq = ?").bind(before?.post_seq),
    env.DB.prepare('delete from match_terms where post_seq = ?').bind(before?.post_seq),
  ]);

  await renewReadings(db);

  expect(await readingOf(id)).toEqual(before);
  expect((await termsOf(id)).length).toBeGreaterThan(5);
});

test('a post whose reading is cut off is renewed no more after eight tries, and keeps no other from being renewed', async () => {
  const [cutOff, healthy] = [
    await postAndMatch(await newPerson(), PHONE),
    await postAndMatch(await newPerson(), PHONE),
  ];
  const versionOf = async (id: string) => (await readingOf(id))?.version;
  const current = await versionOf(healthy);
  await env.DB.exec("update match_readings set version = '0'");
  await env.DB.exec(
    `create trigger cut_off before insert on match_terms when new.post_seq = (select seq from posts where id = '${cutOff}') begin select raise(abort, 'cut off'); end`,
  );
  for (let tries = 0; tries < 8; tries++) {
    await expect(renewReadings(db)).rejects.toThrow();
    expect(await versionOf(healthy)).toBe('0');
  }
  await renewReadings(db);
  expect(await versionOf(healthy)).toBe(current);
  expect(await versionOf(cutOff)).toBe('0');
  const failures = env.DB.prepare('select match_failures from posts where id = ?');
  expect(await failures.bind(healthy).first('match_failures')).toBe(0);
  await env.DB.exec('drop trigger cut_off');
});

test('a post whose tries are used up is no candidate for others', async () => {
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(await newPerson(), lost);
  await env.DB.prepare('update posts set match_failures = 8 where id = ?').bind(mine).run();
  expect(await pairsOf(await postAndMatch(await newPerson(), found))).toEqual([]);
  await env.DB.prepare('update posts set match_failures = 7 where id = ?').bind(mine).run();
  expect(await pairsOf(await postAndMatch(await newPerson(), found))).toHaveLength(1);
});

test.each([
  ['marked as found', 'PATCH', '/found'],
  ['deleted', 'DELETE', ''],
])('of a post that is %s nothing that was read is kept', async (_, method, suffix) => {
  const person = await newPerson();
  const id = await postAndMatch(person, PHONE);
  expect(await readingOf(id)).not.toBeNull();
  const { post_seq } = (await readingOf(id)) ?? {};

  await call(method, `/api/posts/${id}${suffix}`, undefined, { token: person.token });

  const kept = env.DB.prepare('select count(*) as count from match_readings where post_seq = ?').bind(post_seq);
  expect(await kept.first('count')).toBe(0);
});

test('how common a value is is counted once an hour, of three posts and more', async () => {
  const person = await newPerson();
  const posts = ['Manzese', 'Manzese', 'Mbagala'].map((location) => ({ ...PHONE, location }));
  for (const post of posts) await postAndMatch(person, post);
  const start = Date.now() + HOUR_MS * 24;

  await refreshShares(db, start);
  const values = valuesOf(
    readPost({ ...PHONE, description: '', owner_first_name: '', owner_last_name: '', created_at: 0 }),
  );
  const competition = await readCompetition(db, 'finder', values);
  expect(values).toEqual(expect.arrayContaining(['thing phone', 'colour black', 'brand Tecno']));
  expect(competition.openPosts).toBeGreaterThanOrEqual(3);
  expect(competition.shareOf('brand Tecno')).toBeGreaterThan(0);
  expect(competition.shareOf('brand Tecno')).toBeLessThanOrEqual(1);
  expect(competition.shareOf('brand Nokia')).toBeNull();

  await postAndMatch(person, PHONE);
  await refreshShares(db, start + HOUR_MS - 1);
  expect((await readCompetition(db, 'finder', values)).openPosts).toBe(competition.openPosts);
  await refreshShares(db, start + HOUR_MS + 1);
  expect((await readCompetition(db, 'finder', values)).openPosts).toBe(competition.openPosts + 1);
});
