import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { postInputSchema } from '#contract/posts.ts';
import * as schema from '#tests/support/find-inconsistencies.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { ANSWER, claimed, FOUND, newClaim, newsTypesOf, read, take } from '#tests/worker/support/claims.ts';
import {
  join,
  newApprovedCommunity,
  newCommunity,
  newPeople,
  newWorld,
  type People,
  readWorld,
} from '#tests/worker/support/communities.ts';
import { recording } from '#tests/worker/support/count-trips.ts';
import { OWNER_COLUMNS } from '#tests/worker/support/fuzz.ts';
import { decide, report } from '#tests/worker/support/moderation.ts';
import { change, subscribe } from '#tests/worker/support/notices.ts';
import { openDb } from '#worker/db/client.ts';
import { eraseRows } from '#worker/leaving/erase-person.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';

/** Matches a column that names the person to whom a row belongs, but is not a foreign key. */
const PERSONS_COLUMN =
  /^(user|author|owner|recipient|creator|actor|reporter|claimant|finder|reader|target)_id$|^used_by$|^email$|^(phone_|whatsapp_)?number$/;

const TABLES = Object.values(schema).flatMap((table) => (table instanceof SQLiteTable ? getTableConfig(table) : []));

function namesAPerson({ columns, foreignKeys }: (typeof TABLES)[number]): boolean {
  const isReferring = foreignKeys.some((key) => getTableConfig(key.reference().foreignTable).name === 'users');
  return isReferring || columns.some((column) => PERSONS_COLUMN.test(column.name));
}

const erase = ({ id }: Person) => eraseRows(openDb(env), id);

/** Returns every row of every table as text. */
async function everything(): Promise<string> {
  const rows = await Promise.all(TABLES.map(({ name }) => env.DB.prepare(`select * from ${name}`).all()));
  return JSON.stringify(rows.map(({ results }) => results));
}

test('OWNER_COLUMNS lists every table that stores a person’s id, and erasing a person writes to each of these tables', async () => {
  const texts: string[] = [];
  await eraseRows(openDb({ DB: recording(texts) }), (await newPerson()).id);
  const erased = texts.map((text) => /^\s*(?:delete from|update) "?(\w+)/.exec(text)?.[1]);
  const names = TABLES.filter(namesAPerson).map(({ name }) => name);
  expect(names.filter((name) => !erased.includes(name))).toEqual([]);
  expect(names.sort()).toEqual(Object.keys(OWNER_COLUMNS).sort());
});

/** Inserts a passkey, a challenge and a step-up of the person. */
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

test('erasing a person removes their data from every table, and does not change other people’s data', async () => {
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
  // The erased person's reports, and their actions as an admin, stay without the person's name.
  expect(left).toContain('Hii si yake');
  const logged = await env.DB.prepare('select action from moderation_log order by rowid').all<{ action: string }>();
  expect(logged.results.map(({ action }) => action)).toEqual(['approve', 'hide', 'hide', 'restore']);
});

test('a person’s data export has their posts, reports and settings, and no secrets such as access codes', async () => {
  const { community, creator: person } = await newApprovedCommunity();
  const post = await newPost(person, { ...somePost, title: 'Simu ya kuhamisha' });
  await report((await newPost(await newPerson())).id, person, { reason: 'other', text: 'Nilivyoripoti' });
  const browser = 'https://fcm.googleapis.com/siri-ya-kivinjari';
  await subscribe({ ...person, tokenVersion: 1 }, browser);
  const all = await exportPerson(openDb(env), person.id);
  expect(all).toMatchObject({ me: { id: person.id, email: person.email }, posts: [{ id: post.id }] });
  // An exported post has the community's name instead of `community_code`, and `has_identifiers` instead of
  // `identifiers`.
  const { community_code: _, identifiers: __, ...written } = postInputSchema.shape;
  expect(Object.keys(all.posts[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(written)));
  expect(all).toMatchObject({ reports: [{ reason: 'other', text: 'Nilivyoripoti' }] });
  expect(all).toMatchObject({ push: [{ service: 'fcm.googleapis.com' }], settings: { push: true, whatsapp: false } });
  expect(JSON.stringify(all)).not.toContain('siri-ya-kivinjari');
  expect(JSON.stringify(all)).toContain(community.name);
  expect(JSON.stringify(all)).not.toMatch(/scrypt|password|access_code|token_version/);
  expect(JSON.stringify(all)).not.toContain(community.access_code);
});

/**
 * Inserts devices, and rows into every table of notices, push, WhatsApp and e-mail. The ids begin with the person's id.
 */
async function insertRows({ id, phone }: Person): Promise<void> {
  const statements = [
    `insert into devices (id, user_id, name, created_at, last_seen_at)
     values (?1 || '-d2', ?1, 'Firefox', 5, 6), (?1 || '-d1', ?1, 'Chrome', 3, 4)`,
    `insert into devices (id, user_id, name, created_at, last_seen_at, ended_at) values (?1 || '-d3', ?1, '', 1, 2, 3)`,
    `insert into email_links (user_id, id, email, email_key, token_digest, origin, created_at)
     values (?1, ?1 || '-l', 'mpya@example.com', 'mpya@example.com', ?1, '', 7)`,
    `insert into email_messages (id, kind, recipient_id, status, attempts, created_at, updated_at)
     values (?1 || '-l', 'confirm_email', ?1, 'accepted', 1, 8, 9)`,
    `insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at)
     values ('https://fcm.googleapis.com/' || ?1, ?1, ?1, '', '', '', 10)`,
    `insert into notices (id, recipient_id, type, created_at) values (?1 || '-n', ?1, 'password_changed', 0)`,
    `insert into push_dead_letters (id, notice_id, recorded_at) values (?1, ?1 || '-n', 1)`,
    `insert into notice_settings (user_id, push, whatsapp, email, quiet_from, quiet_to)
     values (?1, 0, 1, 0, '20:00', '07:00')`,
    `insert into whatsapp_messages (id, kind, recipient_id, language, status, attempts, wamid, created_at, updated_at)
     values (?1, 'stopped', ?1, 'sw', 'accepted', 1, 'wamid.' || ?1, 11, 12)`,
    `insert into whatsapp_deliveries (wamid, status, rank, reported_at) values ('wamid.' || ?1, 'read', 3, 1)`,
    `insert into whatsapp_dead_letters (id, kind, recorded_at) values (?1, 'stopped', 1)`,
    `insert into whatsapp_outbox (message_id, recipient_id, job, created_at, due_at)
     values (?1, ?1, '{"kind":"stopped"}', 13, 9e15)`,
    `insert into whatsapp_words (user_id, message_id, is_on, sent_at) values (?1, ?1, 0, 14)`,
  ];
  await env.DB.batch([
    ...statements.map((statement) => env.DB.prepare(statement).bind(id)),
    env.DB.prepare("insert into whatsapp_recipients (day, number, share) values (1, ?, 'reset')").bind(phone),
  ]);
}

const exportOf = ({ id }: Person) => exportPerson(openDb(env), id);

/** A time in the export's format. */
const at = (ms: number) => new Date(ms).toISOString();

const EVERYTHING = {
  devices: [
    { name: 'Chrome', created_at: at(3), last_seen_at: at(4) },
    { name: 'Firefox', created_at: at(5), last_seen_at: at(6) },
  ],
  emails: [{ kind: 'confirm_email', status: 'accepted', created_at: at(8) }],
  emails_to_confirm: [{ email: 'mpya@example.com', created_at: at(7) }],
  push: [{ service: 'fcm.googleapis.com', put_at: at(10) }],
  settings: { push: false, whatsapp: true, email: false, quiet_from: '20:00', quiet_to: '07:00' },
  whatsapp_messages: [{ kind: 'stopped', language: 'sw', status: 'accepted', created_at: at(11) }],
  whatsapp_messages_waiting: [{ message: { kind: 'stopped' }, created_at: at(13) }],
  whatsapp_stop_or_start: [{ is_on: false, sent_at: at(14) }],
};

const NOTHING = {
  devices: [],
  emails: [],
  emails_to_confirm: [],
  push: [],
  settings: { push: true, whatsapp: false, email: true, quiet_from: '21:00', quiet_to: '06:00' },
  whatsapp_messages: [],
  whatsapp_messages_waiting: [],
  whatsapp_stop_or_start: [],
};

const LETTERS = ['push_dead_letters', 'whatsapp_dead_letters', 'whatsapp_deliveries', 'whatsapp_recipients'];

/** Returns the number of rows in each table of LETTERS. A data export omits these tables. */
async function countLetters(): Promise<unknown[]> {
  return Promise.all(LETTERS.map((table) => env.DB.prepare(`select count(*) as n from ${table}`).first('n')));
}

test('a person’s data export lists the devices on which they are signed in, their notice channels and their notices', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await insertRows(person);
  expect(await exportOf(person)).toMatchObject(EVERYTHING);
  expect(await exportOf(other)).toMatchObject(NOTHING);
});

test('erasing a person removes all entries from that person’s data export, and none from another person’s export', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  for (const each of [person, other]) await insertRows(each);
  const before = await countLetters();
  await eraseRows(openDb(env), person.id);
  expect(await exportOf(person)).toMatchObject(NOTHING);
  expect(await exportOf(other)).toMatchObject(EVERYTHING);
  expect(await countLetters()).toEqual(before.map((count) => Number(count) - 1));
});

describe('data of two people', () => {
  let people: People;
  beforeAll(async () => {
    people = await newPeople();
  });

  async function run(statement: string, ...values: unknown[]): Promise<void> {
    await env.DB.prepare(statement)
      .bind(...values)
      .run();
  }

  async function column<Value>(statement: string, ...values: unknown[]): Promise<Value[]> {
    const rows = await env.DB.prepare(statement)
      .bind(...values)
      .raw<[Value]>();
    return rows.map(([value]) => value);
  }

  const enrol = (world: { id: string }, { id }: Person, role: string, joinedAt: number) =>
    run(
      'insert into memberships (community_id, user_id, role, joined_at) values (?, ?, ?, ?)',
      world.id,
      id,
      role,
      joinedAt,
    );

  test('for each claim, a data export has the person’s own messages and private marks (a finder’s secret details), not the other party’s', async () => {
    const mine = await claimed({}, { phone_number: '0777123456' });
    const person = mine.claimant;
    await take(mine.id, 'ask', mine.finder, { text: 'Rangi gani?' });
    await take(mine.id, 'reply', person, { text: 'Buluu' });
    const post = await newPost(person, { ...FOUND, claim_question: 'Lina nini?' });
    const theirs = await newClaim(post.id, await newPerson());
    await take(theirs.id, 'ask', person, { text: 'Kubwa?' });
    await newClaim((await newPost(mine.finder, FOUND)).id, await newPerson());
    const { claims } = await exportOf(person);
    const shared = { post_title: FOUND.title, created_at: expect.any(String) };
    expect(claims).toEqual([
      {
        ...{ ...shared, id: mine.id, post_id: mine.post.id, role: 'claimant', question: FOUND.claim_question },
        ...{ answer: ANSWER, private_marks: null, phone_number: '0777123456', messages: '["Buluu"]' },
      },
      {
        ...{ ...shared, id: theirs.id, post_id: post.id, role: 'finder', question: 'Lina nini?', answer: null },
        ...{ private_marks: FOUND.private_marks, phone_number: null, messages: '["Kubwa?"]' },
      },
    ]);
  });

  test('a claimant’s data export redacts the claimed post’s title and its question to claimants in the same way as the app', async () => {
    const title = 'NIDA 19900101-14105-00002-24';
    const question = 'Nipigie 0712345678 kwanza';
    const { finder, claimant, id } = await claimed({ title, kind: 'document', claim_question: question });
    const exported = async (person: Person) => (await exportOf(person)).claims;
    expect(await exported(finder)).toMatchObject([{ post_title: title, question }]);
    expect(await exported(claimant)).toMatchObject([{ post_title: 'NIDA •••02-24', question: 'Nipigie ••• kwanza' }]);
    await take(id, 'accept', finder);
    expect(await exported(claimant)).toMatchObject([{ post_title: 'NIDA •••02-24', question }]);
    await call('POST', `/api/claims/${id}/block`, undefined, finder);
    expect(await exported(claimant)).toMatchObject([{ question: 'Nipigie ••• kwanza' }]);
  });

  test('deleting a finder notifies only those claimants whose claims on the finder’s posts had no final answer', async () => {
    const [open, settled] = [await claimed(), await claimed()];
    const leaver = open.finder;
    const post = await newPost(leaver, FOUND);
    const [declined, withdrawn] = [await newPerson(), await newPerson()];
    const answered = await newClaim(post.id, declined);
    await take(answered.id, 'accept', leaver);
    await take(answered.id, 'decline', leaver);
    await take((await newClaim(post.id, withdrawn)).id, 'withdraw', withdrawn);
    await take(settled.id, 'ask', settled.finder, { text: 'Rangi gani?' });
    await take(settled.id, 'reply', settled.claimant, { text: 'Buluu' });
    const own = await newClaim(settled.post.id, leaver);
    await take(own.id, 'ask', settled.finder, { text: 'Na ndani?' });
    const before = [await read(settled.id, settled.finder), await read(settled.id, settled.claimant)];
    const steps = 'select count(*) from claim_steps where claim_id = ?';
    await erase(leaver);
    expect([await read(settled.id, settled.finder), await read(settled.id, settled.claimant)]).toEqual(before);
    expect(await newsTypesOf(open.claimant)).toEqual(['claim_closed']);
    expect(await newsTypesOf(declined)).toEqual(['claim_accepted', 'claim_declined']);
    expect(await newsTypesOf(withdrawn)).toEqual([]);
    expect(await read(own.id, settled.finder)).toMatchObject({ status: 'closed', messages: [{ text: 'Na ndani?' }] });
    // Both parties of the claim `own` have left, so nothing of it remains. One party of `settled` stays.
    await erase(settled.finder);
    expect(await column(steps, own.id)).toEqual([0]);
    expect(await column(steps, settled.id)).toEqual([3]);
  });

  test('a data export names each blocked person by the title of the post on which they were blocked, the earliest block first', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [first, second] = [
      await newPost(await newPerson(), { title: 'Begi', posted_by: 'finder' }),
      await newPost(other, { title: 'Kofia', posted_by: 'finder' }),
    ];
    const mine = await newPost(person, { title: 'Mkoba', posted_by: 'finder' });
    for (const { id } of [second, first]) await call('POST', `/api/posts/${id}/block-author`, undefined, person);
    await call('POST', `/api/posts/${mine.id}/block-author`, undefined, await newPerson());
    await run("update blocks set created_at = 5 where blocker_id = ? and name = 'Kofia'", person.id);
    const { blocks } = await exportOf(person);
    expect(blocks).toEqual([
      { id: expect.any(String), name: 'Kofia', created_at: at(5) },
      { id: expect.any(String), name: 'Begi', created_at: expect.any(String) },
    ]);
  });

  test('when a person is deleted, the blocks that they made and the blocks against them are deleted, and no other blocks', async () => {
    const [leaver, one, two] = [await newPerson(), await newPerson(), await newPerson()];
    const block = (name: string, blocker: Person, blocked: Person) =>
      run(
        'insert into blocks (blocker_id, blocked_id, id, name, created_at) values (?, ?, ?, ?, 1)',
        blocker.id,
        blocked.id,
        crypto.randomUUID(),
        name,
      );
    await block('ya anayeondoka', leaver, one);
    await block('juu ya anayeondoka', two, leaver);
    await block('ya wengine', one, two);
    await erase(leaver);
    const ids = [leaver.id, one.id, two.id];
    const left = await column('select name from blocks where blocker_id in (?, ?, ?)', ...ids);
    expect(left).toEqual(['ya wengine']);
  });

  test('a data export lists the person’s records in communities, such as memberships and join requests, oldest first', async () => {
    const person = await newPerson();
    const [first, second, third, fourth] = [
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
    ];
    await enrol(second, person, 'member', 7);
    await enrol(first, person, 'admin', 8);
    await call('PATCH', `/api/communities/${first.id}`, { name: 'Sekondari' }, person);
    await call('PATCH', `/api/communities/${third.id}`, { name: 'Ya mwingine' }, people.admin);
    const request = 'insert into join_requests (id, community_id, user_id, message, created_at) values (?, ?, ?, ?, ?)';
    await run(request, crypto.randomUUID(), fourth.id, person.id, 'Pili', 4);
    await run(request, crypto.randomUUID(), third.id, person.id, 'Kwanza', 3);
    const removal = 'insert into community_removals (community_id, user_id, removed_at) values (?, ?, ?)';
    await run(removal, fourth.id, person.id, 6);
    await run(removal, third.id, person.id, 5);
    const rejection =
      'insert into community_rejections (id, user_id, name, reason, rejected_at) values (?, ?, ?, ?, ?)';
    await run(rejection, crypto.randomUUID(), person.id, 'Benki', 'Si benki.', 2);
    await run(rejection, crypto.randomUUID(), person.id, 'Jeshi', 'Si jeshi.', 1);
    await run(rejection, crypto.randomUUID(), people.admin.id, 'Ya mwingine', 'Hapana.', 1);
    const known = { name: 'Shule', description: 'Ya msingi' };
    expect(await exportOf(person)).toMatchObject({
      communities: [
        { ...known, id: second.id, member_role: 'member', joined_at: at(7) },
        { ...known, id: first.id, member_role: 'admin', joined_at: at(8) },
      ],
      community_names: [{ id: first.id, pending_name: 'Sekondari', pending_name_at: expect.any(String) }],
      join_requests: [
        { community_id: third.id, message: 'Kwanza', created_at: at(3) },
        { community_id: fourth.id, message: 'Pili', created_at: at(4) },
      ],
      community_removals: [
        { community_id: third.id, removed_at: at(5) },
        { community_id: fourth.id, removed_at: at(6) },
      ],
      community_rejections: [
        { name: 'Jeshi', reason: 'Si jeshi.', rejected_at: at(1) },
        { name: 'Benki', reason: 'Si benki.', rejected_at: at(2) },
      ],
    });
  });

  test('deleting a person deletes the records of their actions in communities, and no records of other people’s actions', async () => {
    const leaver = await newPerson();
    const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
    await call('PATCH', `/api/communities/${other.id}`, { name: 'Ya mwingine' }, people.admin);
    const reject = (id: string) =>
      run(
        "insert into community_rejections (id, user_id, name, reason, rejected_at) values (?, ?, 'x', 'x', 1)",
        id,
        id,
      );
    for (const { id } of [leaver, people.admin]) await reject(id);
    const before = [await readWorld(world.id), await readWorld(other.id)];
    await enrol(world, leaver, 'admin', 9);
    await call('PATCH', `/api/communities/${world.id}`, { name: 'Sekondari' }, leaver);
    await call('POST', `/api/communities/${other.id}/join-requests`, {}, leaver);
    await run('insert into community_removals values (?, ?, 1)', other.id, leaver.id);
    await erase(leaver);
    expect([await readWorld(world.id), await readWorld(other.id)]).toEqual(before);
    const rejected = 'select user_id from community_rejections where id in (?, ?)';
    expect(await column(rejected, leaver.id, people.admin.id)).toEqual([people.admin.id]);
  });

  test('a community whose creator is deleted gets a new creator: an admin, or else a member, or else the author of a post', async () => {
    const leaver = await newPerson();
    const [run1, run2, run3, alone] = [
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
      await newWorld(people, 'admin'),
    ];
    const setTime = (world: { id: string }, { id }: Person, role: string, joinedAt: number) =>
      run(
        'update memberships set role = ?, joined_at = ? where community_id = ? and user_id = ?',
        role,
        joinedAt,
        world.id,
        id,
      );
    await setTime(run1, people.admin, 'admin', 5);
    await setTime(run1, people.fellow, 'admin', 4);
    for (const [person, joinedAt] of [
      [people.admin, 6],
      [people.fellow, 5],
      [people.member, 4],
      [people.victim, 7],
    ] as const)
      await setTime(run2, person, 'member', joinedAt);
    for (const { id } of [run3, alone]) await run('delete from memberships where community_id = ?', id);
    await enrol(alone, leaver, 'admin', 1);
    await run('delete from posts where community_id = ?', alone.id);
    const all = [run1, run2, run3, alone].map(({ id }) => id);
    for (const id of all) await run('update communities set creator_id = ? where id = ?', leaver.id, id);
    const elsewhere = await newWorld(people, 'admin');
    const before = await readWorld(elsewhere.id);
    await erase(leaver);
    const creators = await Promise.all(all.map((id) => column('select creator_id from communities where id = ?', id)));
    expect(creators).toEqual([[people.fellow.id], [people.member.id], [people.victim.id], []]);
    const due = 'select id from communities where id in (?, ?, ?) and closes_at is not null';
    expect(await column(due, run1.id, run2.id, run3.id)).toEqual([]);
    expect(await readWorld(elsewhere.id)).toEqual(before);
  });

  test('deleting a person deletes the verification codes and proofs of their phone number, and not those of other people', async () => {
    const [leaver, other] = [await newPerson(), await newPerson()];
    const code = (subject: string, number: string, usedBy: string | null) =>
      run(
        `insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at, used_by)
       values (?, 'change_number', ?, ?, '', 1, 'sw', 1, ?)`,
        ...[crypto.randomUUID(), subject, number, usedBy],
      );
    const proof = (number: string, usedBy: string | null) =>
      run(
        `insert into number_proofs (id, secret_digest, number, text_digest, created_at, used_by) values (?1, '', ?, ?1, 1, ?)`,
        ...[crypto.randomUUID(), number, usedBy],
      );
    await code(other.id, leaver.phone, null);
    await code(leaver.id, '+255629999001', null);
    await code('+255629999002', '+255629999002', leaver.id);
    await code(other.id, other.phone, other.id);
    await proof(leaver.phone, null);
    await proof('+255629999002', leaver.id);
    await proof(other.phone, other.id);
    await erase(leaver);
    expect(await column('select number from number_codes')).toEqual([other.phone]);
    expect(await column('select number from number_proofs')).toEqual([other.phone]);
  });
});
