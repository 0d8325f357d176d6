import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { PERSONAL_DATA } from '#worker/personal-data.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { ANSWER, claimed, FOUND, newClaim, newsTypesOf, read, take } from './support/claims.ts';
import { newPeople, newWorld, type People, readWorld } from './support/community-world.ts';

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

async function exportOf({ id }: Person): Promise<Record<string, Record<string, unknown>[]>> {
  const parts = await Promise.all(PERSONAL_DATA.map(({ exportFor }) => exportFor(openDb(env), id)));
  return Object.assign({}, ...parts);
}

async function erase({ id }: Person): Promise<void> {
  const [first, ...rest] = PERSONAL_DATA.flatMap(({ eraseFor }) => eraseFor(openDb(env), id));
  if (first) await openDb(env).batch([first, ...rest]);
}

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

test('an export has of each claim what its person said, saw and kept, and nothing that is the other’s', async () => {
  const mine = await claimed({}, { phone_number: '0777123456' });
  const person = mine.claimant;
  await take(mine.id, 'ask', mine.finder, { text: 'Rangi gani?' });
  await take(mine.id, 'reply', person, { text: 'Buluu' });
  const post = await newPost(person, { ...FOUND, claim_question: 'Lina nini?' });
  const theirs = await newClaim(post.id, await newPerson());
  await take(theirs.id, 'ask', person, { text: 'Kubwa?' });
  await newClaim((await newPost(mine.finder, FOUND)).id, await newPerson());
  const { claims } = await exportOf(person);
  const shared = { post_title: FOUND.title, created_at: expect.any(Number) };
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

test('an export has the other one’s title and question as the claim shows them, and one’s own whole', async () => {
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

test('when somebody leaves, claims between others stay as they were, and who had been answered is told nothing', async () => {
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
  // Of two who have both left nothing stays.
  await erase(settled.finder);
  expect(await column(steps, own.id)).toEqual([0]);
  expect(await column(steps, settled.id)).toEqual([3]);
});

test('an export lists whom its person has blocked, by the names that they know, the first one first', async () => {
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
    { id: expect.any(String), name: 'Kofia', created_at: 5 },
    { id: expect.any(String), name: 'Begi', created_at: expect.any(Number) },
  ]);
});

test('with somebody who leaves go the blocks of both sides, and those of others stay', async () => {
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

test('an export has a person’s communities, asked names, requests, removals and rejections, in their order', async () => {
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
  const rejection = 'insert into community_rejections (id, user_id, name, reason, rejected_at) values (?, ?, ?, ?, ?)';
  await run(rejection, crypto.randomUUID(), person.id, 'Benki', 'Si benki.', 2);
  await run(rejection, crypto.randomUUID(), person.id, 'Jeshi', 'Si jeshi.', 1);
  await run(rejection, crypto.randomUUID(), people.admin.id, 'Ya mwingine', 'Hapana.', 1);
  const known = { name: 'Shule', description: 'Ya msingi' };
  expect(await exportOf(person)).toMatchObject({
    communities: [
      { ...known, id: second.id, member_role: 'member', joined_at: 7 },
      { ...known, id: first.id, member_role: 'admin', joined_at: 8 },
    ],
    community_names: [{ id: first.id, pending_name: 'Sekondari', pending_name_at: expect.any(Number) }],
    join_requests: [
      { community_id: third.id, message: 'Kwanza', created_at: 3 },
      { community_id: fourth.id, message: 'Pili', created_at: 4 },
    ],
    community_removals: [
      { community_id: third.id, removed_at: 5 },
      { community_id: fourth.id, removed_at: 6 },
    ],
    community_rejections: [
      { name: 'Jeshi', reason: 'Si jeshi.', rejected_at: 1 },
      { name: 'Benki', reason: 'Si benki.', rejected_at: 2 },
    ],
  });
});

test('what a leaver did in a community goes with them, and what others did there stays', async () => {
  const leaver = await newPerson();
  const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
  await call('PATCH', `/api/communities/${other.id}`, { name: 'Ya mwingine' }, people.admin);
  const reject = (id: string) =>
    run("insert into community_rejections (id, user_id, name, reason, rejected_at) values (?, ?, 'x', 'x', 1)", id, id);
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

test('what a leaver began goes to who has run it longest, else who has been in it longest, else who posted into it', async () => {
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

test('codes and proofs of a leaver’s number, for their account or used by it go, and those of others stay', async () => {
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
