import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { postInputSchema } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import * as schema from '#worker/db/schema.ts';
import { PERSONAL_DATA } from '#worker/personal-data.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { join, newApprovedCommunity, newCommunity } from './support/communities.ts';
import { decide, report } from './support/moderation.ts';
import { change, subscribe } from './support/telling.ts';

/** A column that says whose a row is, wherever it does not say so by a foreign key. */
const PERSONS_COLUMN =
  /^(user|author|owner|recipient|creator|actor|reporter|claimant|finder|reader|target)_id$|^used_by$|^email$|^(phone_|whatsapp_)?number$/;

const TABLES = Object.values(schema).flatMap((table) => (table instanceof SQLiteTable ? getTableConfig(table) : []));

function namesAPerson({ columns, foreignKeys }: (typeof TABLES)[number]): boolean {
  const isReferring = foreignKeys.some((key) => getTableConfig(key.reference().foreignTable).name === 'users');
  return isReferring || columns.some((column) => PERSONS_COLUMN.test(column.name));
}

async function erase(person: Person): Promise<void> {
  const db = openDb(env);
  const statements = PERSONAL_DATA.flatMap(({ eraseFor }) => eraseFor(db, person.id));
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}

/** Every row of every table as text, but for what the sweep is still to withdraw. */
async function everything(): Promise<string> {
  const rows = await Promise.all(TABLES.map(({ name }) => env.DB.prepare(`select * from ${name}`).all()));
  return JSON.stringify(rows.map(({ results }) => results));
}

test('every table that says whose a row is, is named by the noun that holds it', () => {
  const named = PERSONAL_DATA.flatMap(({ tables }) => Object.keys(tables)).sort();
  for (const [table, column] of PERSONAL_DATA.flatMap(({ tables }) => Object.entries(tables)))
    expect(TABLES.find(({ name }) => name === table)?.columns.map(({ name }) => name)).toContain(column);
  expect(
    TABLES.filter(namesAPerson)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(named);
});

/** A passkey, a challenge and a step of theirs. */
async function addPasskeyRows(id: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `insert into passkeys (id, user_id, public_key, counter, transports, created_at) values (?1, ?1, '', 0, '[]', 0)`,
    ).bind(id),
    env.DB.prepare(
      `insert into passkey_challenges (user_id, purpose, challenge, expires_at) values (?1, 'add', ?1, 0)`,
    ).bind(id),
    env.DB.prepare('insert into step_ups (session_id, user_id, passkey_id, expires_at) values (?1, ?1, ?1, 0)').bind(
      id,
    ),
  ]);
}

test('nothing of a person is left in any table, and what is of others is whole', async () => {
  const { community: kept, creator: leaver } = await newApprovedCommunity();
  const other = await newPerson();
  await join(kept.access_code, other);
  const pending = await newCommunity(leaver);
  const mine = await newPost(leaver, { ...somePost, title: 'Begi la anayeondoka' });
  const theirs = await newPost(other, { ...somePost, title: 'Begi la anayebaki' });
  await call('POST', '/api/feedback', { email: leaver.email, message: 'Asanteni' });
  await report(theirs.id, leaver, { reason: 'other', text: 'Hii si yake' });
  await report(mine.id, other, { reason: 'other', text: 'Kuhusu anayeondoka' });
  await env.DB.prepare('update users set is_platform_admin = 1, email_proven_at = 1 where id = ?')
    .bind(leaver.id)
    .run();
  for (const { id } of [mine, theirs]) await decide('hide', id, leaver);
  await decide('restore', theirs.id, leaver);
  await change({ ...leaver, tokenVersion: 1 }, { whatsapp: false });
  await subscribe({ ...leaver, tokenVersion: 1 }, 'kivinjari-cha-anayeondoka');
  for (const { id } of [leaver, other]) await addPasskeyRows(id);
  await erase(leaver);
  const left = await everything();
  for (const trace of [leaver.id, leaver.email, leaver.phone, leaver.username, mine.id, pending.id, 'anayeondoka'])
    expect([trace, left.includes(trace)]).toEqual([trace, false]);
  expect((await call('GET', `/api/posts/${theirs.id}`, undefined, other)).status).toBe(200);
  expect((await call('GET', `/api/communities/${kept.id}`, undefined, other)).status).toBe(200);
  expect((await call('GET', '/api/me', undefined, leaver)).status).toBe(401);
  for (const table of ['passkeys', 'passkey_challenges', 'step_ups'])
    expect(await env.DB.prepare(`select user_id from ${table}`).all()).toMatchObject({
      results: [{ user_id: other.id }],
    });
  // What they said of others and did as an admin stays, without them.
  expect(left).toContain('Hii si yake');
  const logged = await env.DB.prepare('select action from moderation_log order by rowid').all<{ action: string }>();
  expect(logged.results.map(({ action }) => action)).toEqual(['approve', 'hide', 'hide', 'restore']);
});

test('an export has every field that its person wrote and what they were told, and no secret', async () => {
  const { community, creator: person } = await newApprovedCommunity();
  const post = await newPost(person, { ...somePost, title: 'Simu ya kuhamisha' });
  await report((await newPost(await newPerson())).id, person, { reason: 'other', text: 'Nilivyoripoti' });
  const browser = 'https://fcm.googleapis.com/siri-ya-kivinjari';
  await subscribe({ ...person, tokenVersion: 1 }, browser);
  const parts = await Promise.all(PERSONAL_DATA.map(({ exportFor }) => exportFor(openDb(env), person.id)));
  const all = Object.assign({}, ...parts) as Record<string, unknown>;
  expect(all).toMatchObject({ me: { id: person.id, email: person.email }, posts: [{ id: post.id }] });
  // A community is named by its name, and of identifiers it is said that there are some.
  const { community_code: _, identifiers: __, ...written } = postInputSchema.shape;
  expect(Object.keys((all.posts as object[])[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(written)));
  expect(all).toMatchObject({ reports: [{ reason: 'other', text: 'Nilivyoripoti' }] });
  expect(all).toMatchObject({ push: [{ service: 'fcm.googleapis.com' }], settings: { push: true, whatsapp: false } });
  expect(JSON.stringify(all)).not.toContain('siri-ya-kivinjari');
  expect(JSON.stringify(all)).toContain(community.name);
  expect(JSON.stringify(all)).not.toMatch(/scrypt|password|access_code|token_version/);
  expect(JSON.stringify(all)).not.toContain(community.access_code);
});
