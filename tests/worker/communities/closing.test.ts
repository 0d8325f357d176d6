import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { ApprovedCommunity, Community } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { join, newCommunity, newPeople, newWorld, type People, readWorld } from '#tests/worker/support/communities.ts';
import { counting } from '#tests/worker/support/count-trips.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { channelOf, connect, lostAndFound, newPeople as newCrowd, settled } from '#tests/worker/support/notices.ts';
import { leave } from '#tests/worker/support/people.ts';
import { postAndMatch, sweepIn } from '#tests/worker/support/posts.ts';
import { closeCommunities } from '#worker/communities/close-community.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { planDeletions } from '#worker/retention.ts';

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}${path}`;

let people: People;
beforeAll(async () => {
  people = await newPeople();
});

const read = async (path: string, person: Person) => (await call('GET', path, undefined, person)).json();
const codeOf = async (answer: Response) => (await answer.json<ErrorBody>()).code;
const rowOf = (id: string) => env.DB.prepare('select * from communities where id = ?').bind(id).first();
const toldOf = async (id: string) => {
  const { results } = await env.DB.prepare('select recipient_id, body from notices where body like ? order by rowid')
    .bind(`%"${id}"%`)
    .all<{ recipient_id: string; body: string }>();
  return results.map(({ recipient_id, body }) => ({ to: recipient_id, ...JSON.parse(body) }));
};
const isInMailbox = async ({ to, id }: { to: string; id: string }) =>
  (await channelOf({ id: to }).listWaiting([id])).length === 1;
/** Moves the closing date into the past. */
const letPass = (id: string, at = 1) =>
  env.DB.prepare('update communities set closes_at = ? where id = ?').bind(at, id).run();
const close = () => closeCommunities(env, openDb(env), Date.now());

test('a request to close a community immediately notifies its members and removes it from lists, and takes effect after seven days', async () => {
  const world = await newWorld(people, 'admin');
  const before = Date.now();
  const { closes_at } = await (await call('DELETE', at(world), undefined, people.admin)).json<{ closes_at: string }>();
  expect(Date.parse(closes_at) - before).toBeGreaterThanOrEqual(7 * DAY_MS);
  expect(Date.parse(closes_at) - before).toBeLessThan(7 * DAY_MS + 60_000);
  const told = await toldOf(world.id);
  expect(told.map(({ to }) => to).sort()).toEqual([people.fellow.id, people.member.id, people.victim.id].sort());
  expect(told[0]).toEqual({
    to: expect.any(String),
    type: 'community_closing',
    id: expect.any(String),
    community_id: world.id,
    name: 'Shule',
    closes_at,
    created_at: expect.stringMatching(/Z$/),
  });
  expect(await Promise.all(told.map(isInMailbox))).toEqual([true, true, true]);
  expect(await read(at(world), people.member)).toMatchObject({ closes_at, member_count: 4 });
  const listed = (await read('/api/communities/approved?limit=100', people.stranger)) as ApprovedCommunity[];
  expect(listed.map(({ id }) => id)).not.toContain(world.id);
  expect(await codeOf(await join(world.accessCode, people.stranger))).toBe('community_closing');
  // Closing the community again changes nothing.
  expect(await (await call('DELETE', at(world), undefined, people.fellow)).json()).toEqual({ closes_at });
  expect(await toldOf(world.id)).toHaveLength(3);
});

test('the request to close a community delivers the notices of at most fifty members; the scheduled job delivers the rest', async () => {
  const world = await newWorld(people, 'lastAdmin');
  const crowd = await newCrowd(50);
  await env.DB.batch(
    crowd.map(({ id }) =>
      env.DB.prepare(
        "insert into memberships (community_id, user_id, role, joined_at) values (?, ?, 'member', 2)",
      ).bind(world.id, id),
    ),
  );
  const countTold = async () =>
    (await Promise.all((await toldOf(world.id)).map(isInMailbox))).filter((isThere) => isThere).length;
  await call('DELETE', at(world), undefined, people.lastAdmin);
  expect(await toldOf(world.id)).toHaveLength(52);
  expect(await countTold()).toBe(50);
  await sweepIn(1);
  expect(await countTold()).toBe(52);
});

test('reopening a community within seven days of the request to close cancels the closing and notifies the members', async () => {
  const world = await newWorld(people, 'admin');
  await call('DELETE', at(world), undefined, people.admin);
  const reopened = await call('POST', at(world, '/reopen'), undefined, people.fellow);
  expect(await reopened.json<Community>()).toMatchObject({ id: world.id, member_role: 'admin', closes_at: null });
  const told = (await toldOf(world.id)).filter(({ type }) => type === 'community_reopened');
  expect(told.map(({ to }) => to).sort()).toEqual([people.admin.id, people.member.id, people.victim.id].sort());
  expect(told[0]).toMatchObject({ community_id: world.id, name: 'Shule', closes_at: null });
  expect(await Promise.all(told.map(isInMailbox))).toEqual([true, true, true]);
  expect((await join(world.accessCode, await newPerson())).status).toBe(200);
  expect((await call('POST', at(world, '/reopen'), undefined, people.fellow)).status).toBe(200);
  await letPass(world.id);
  expect(await codeOf(await call('POST', at(world, '/reopen'), undefined, people.fellow))).toBe('wrong_state');
});

test('after a community has closed, each of its posts is visible only to the post’s author, until the author makes the post public', async () => {
  const world = await newWorld(people, 'admin');
  const [open, returned, hidden] = [
    await newPost(people.member, { community_code: world.code }),
    await newPost(people.member, { community_code: world.code }),
    await newPost(people.member, { community_code: world.code }),
  ];
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, people.member);
  await call('POST', at(world, `/posts/${hidden.id}/hide`), { reason: 'Uhuni' }, people.admin);
  await call('DELETE', at(world), undefined, people.admin);
  await close();
  expect((await read(`/api/posts/${open.id}`, people.fellow)) as Post).toMatchObject({ state: 'open' });
  await letPass(world.id);
  await close();
  expect(await read('/api/communities', people.admin)).not.toContainEqual(expect.objectContaining({ id: world.id }));
  expect((await call('GET', at(world), undefined, people.admin)).status).toBe(404);
  expect((await join(world.accessCode, people.stranger)).status).toBe(404);
  for (const { id } of [open, returned, hidden])
    for (const person of [people.admin, people.fellow, people.stranger])
      expect((await call('GET', `/api/posts/${id}`, undefined, person)).status).toBe(404);
  expect(await read(`/api/posts/${open.id}`, people.member)).toMatchObject({
    state: 'resting',
    community_code: world.code,
    community_name: 'Shule',
  });
  expect(await read(`/api/posts/${returned.id}`, people.member)).toMatchObject({ state: 'returned' });
  expect((await call('GET', `/api/posts?community_code=${world.code}`, undefined, people.admin)).status).toBe(403);
  expect((await call('GET', `/api/posts/${open.id}`)).status).toBe(404);
  // An edit that keeps the post in the closed community changes the post's state to `open`, but only the author sees
  // the post. An edit that removes the post from the community makes the post public.
  const change = (community_code: string | null) =>
    call('PUT', `/api/posts/${open.id}`, { ...open, community_code }, people.member);
  expect(await (await change(world.code)).json()).toMatchObject({ state: 'open', community_code: world.code });
  expect((await call('GET', `/api/posts/${open.id}`, undefined, people.stranger)).status).toBe(404);
  expect((await change(null)).status).toBe(200);
  expect((await call('GET', `/api/posts/${open.id}`)).status).toBe(200);
});

test('closing a community closes its requests to join, and leaves other communities’ data unchanged', async () => {
  const [world, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
  await call('PATCH', at(world), { name: 'Sekondari' }, people.admin);
  const before = await readWorld(other.id);
  await letPass(world.id);
  await close();
  const [[row], ...rest] = (await readWorld(world.id)) as [[{ access_code: string }], ...unknown[]];
  expect(row).toMatchObject({ pending_name: null, pending_name_by: null, pending_name_at: null });
  expect(row.access_code).not.toBe(world.accessCode);
  expect(rest).toEqual([[], [], []]);
  expect(await readWorld(other.id)).toEqual(before);
});

test('unread notices about a closed community’s posts are withdrawn, and sent again when the authors make the posts public', async () => {
  const { member, victim, admin } = people;
  const world = await newWorld(people, 'admin');
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(member, { ...lost, communityId: world.id });
  const theirs = await postAndMatch(victim, { ...found, communityId: world.id });
  const heard = async () => {
    const live = await connect(member);
    await settled(live);
    live.socket.close();
    return live.messages.flatMap((message) => (message.type === 'matching_post' ? [message.post_id] : []));
  };
  expect(await heard()).toEqual([theirs]);
  await call('DELETE', at(world), undefined, admin);
  await letPass(world.id);
  await close();
  expect(await heard()).toEqual([]);
  for (const [id, person, text] of [
    [mine, member, lost],
    [theirs, victim, found],
  ] as const) {
    const moved = { ...somePost, ...text, location: 'Kariakoo, Dar es Salaam', community_code: null };
    expect((await call('PUT', `/api/posts/${id}`, moved, person)).status).toBe(200);
  }
  await expect.poll(heard).toEqual([theirs]);
});

test('a closed community without posts is deleted immediately, and one with posts is deleted when its last post is deleted', async () => {
  const world = await newWorld(people, 'lastAdmin');
  await letPass(world.id);
  await close();
  expect(await rowOf(world.id)).toMatchObject({ closed_at: expect.any(Number), member_count: 0 });
  const [first, second] = [world.postId, crypto.randomUUID()];
  await env.DB.prepare(
    `insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location, phone_number,
       description, posted_by, kind, search_text, created_at, away_since)
     values (?, ?, ?, 'x', '', '', 'x', '', '', 'finder', 'other', 'x', 1, 1)`,
  )
    .bind(second, people.victim.id, world.id)
    .run();
  await call('DELETE', `/api/posts/${first}`, undefined, people.victim);
  expect(await rowOf(world.id)).not.toBeNull();
  expect((await call('PUT', `/api/posts/${second}`, { ...somePost, community_code: null }, people.victim)).status).toBe(
    200,
  );
  expect(await rowOf(world.id)).toBeNull();
  const empty = await newWorld(people, 'lastAdmin');
  await call('DELETE', `/api/posts/${empty.postId}`, undefined, people.victim);
  await letPass(empty.id);
  await close();
  expect(await rowOf(empty.id)).toBeNull();
});

test('however many closed communities still have posts, the scheduled job reads the same number of rows', async () => {
  async function rowsOfSweep() {
    const tally = { trips: 0, rowsRead: 0, isOver: false };
    const counted = { ...env, DB: counting(env.DB, tally) };
    const db = openDb(counted);
    await closeCommunities(counted, db, Date.now());
    await batch(db, planDeletions(db, Date.now()).communities);
    return tally.rowsRead;
  }
  const few = await rowsOfSweep();
  for (let count = 0; count < 5; count++) await letPass((await newWorld(people, 'lastAdmin')).id);
  await close();
  expect(await rowsOfSweep()).toBe(few);
});

test('if the scheduled job dies at any point of closing a community, its next run finishes the closing', async () => {
  for (let dieAt = 0; ; dieAt++) {
    const world = await newWorld(people, 'admin');
    await letPass(world.id);
    const mortal = mortalEnv(dieAt);
    await closeCommunities(mortal.env, openDb(mortal.env), Date.now()).catch(() => undefined);
    await close();
    expect(await rowOf(world.id)).toMatchObject({ member_count: 0, closed_at: expect.any(Number) });
    expect(await read(`/api/posts/${world.postId}`, people.victim)).toMatchObject({ state: 'resting' });
    if (!mortal.isDead()) return;
  }
});

test('if one community fails to close, the scheduled job still closes the others, and closes the failed one in the next run', async () => {
  const [stuck, other] = [await newWorld(people, 'admin'), await newWorld(people, 'admin')];
  await letPass(stuck.id);
  await letPass(other.id, 2);
  await env.DB.exec(
    `create trigger stuck before delete on memberships when old.community_id = '${stuck.id}' begin select raise(abort, 'stuck'); end`,
  );
  await close();
  await env.DB.exec('drop trigger stuck');
  expect(await rowOf(stuck.id)).toMatchObject({ member_count: 4, closed_at: null });
  expect(await rowOf(other.id)).toMatchObject({ member_count: 0, closed_at: expect.any(Number) });
  await close();
  expect(await rowOf(stuck.id)).toMatchObject({ member_count: 0, closed_at: expect.any(Number) });
});

test('a run of the scheduled job does only a limited part of closing a large community, and the next run finishes the closing', async () => {
  const world = await newWorld(people, 'admin');
  await env.DB.batch([
    env.DB.prepare(
      `with recursive series (n) as (select 1 union all select n + 1 from series limit 1200)
       insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location, phone_number,
         description, posted_by, kind, search_text, created_at)
       select ?1 || n, ?2, ?1, 'Begi', '', '', 'Mbezi', '', '', 'finder', 'bag', 'begi', 1 from series`,
    ).bind(world.id, people.member.id),
  ]);
  await letPass(world.id);
  const tally = { trips: 0, rowsRead: 0, isOver: false };
  const bounded = { ...env, DB: counting(env.DB, tally) };
  await closeCommunities(bounded, openDb(bounded), Date.now());
  const open = 'select count(*) as n from posts where community_id = ? and away_since is null';
  expect(await env.DB.prepare(open).bind(world.id).first('n')).toBe(1201 - 10 * 100);
  expect(tally.rowsRead).toBeLessThan(30_000);
  expect(await rowOf(world.id)).toMatchObject({ closed_at: null, member_count: 0 });
  await close();
  expect(await rowOf(world.id)).toMatchObject({ closed_at: expect.any(Number) });
});

test('if the only member of a community leaves, the community is scheduled to close; this person can still reopen the community', async () => {
  const person = await newPerson();
  const { id } = await newCommunity(person);
  const left = await call('DELETE', at({ id }, '/members/me'), undefined, person);
  expect(left.status).toBe(202);
  const { closes_at } = await left.json<{ closes_at: string }>();
  expect(await (await call('DELETE', at({ id }, `/members/${person.id}`), undefined, person)).json()).toEqual({
    closes_at,
  });
  expect(await read(at({ id }), person)).toMatchObject({ closes_at });
  expect((await call('POST', at({ id }, '/reopen'), undefined, person)).status).toBe(200);
  await env.DB.prepare("update memberships set role = 'member' where community_id = ?").bind(id).run();
  expect((await call('DELETE', at({ id }, '/members/me'), undefined, person)).status).toBe(202);
  expect(await (await call('POST', at({ id }, '/reopen'), undefined, person)).json()).toMatchObject({
    closes_at: null,
  });
});

test('if the last member deletes their account, the community closes immediately and its posts become resting posts', async () => {
  const world = await newWorld(people, 'admin');
  const [last, author] = [await newPerson(), await newPerson()];
  for (const person of [last, author]) await join(world.accessCode, person);
  const post = await newPost(author, { community_code: world.code });
  for (const person of [people.admin, people.fellow, people.member, people.victim])
    await env.DB.prepare('delete from memberships where community_id = ? and user_id = ?')
      .bind(world.id, person.id)
      .run();
  expect((await call('DELETE', at(world, '/members/me'), undefined, author)).status).toBe(204);
  expect((await leave(last)).status).toBe(204);
  await close();
  expect(await rowOf(world.id)).toMatchObject({ closed_at: expect.any(Number) });
  expect(await read(`/api/posts/${post.id}`, author)).toMatchObject({ state: 'resting' });
});

test('a person can close communities at most ten times a day', async () => {
  const world = await newWorld(people, 'lastAdmin');
  for (let times = 0; times < 10; times++) {
    expect((await call('DELETE', at(world), undefined, people.lastAdmin)).status).toBe(202);
    await call('POST', at(world, '/reopen'), undefined, people.lastAdmin);
  }
  const refused = await call('DELETE', at(world), undefined, people.lastAdmin);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
  expect(await rowOf(world.id)).toMatchObject({ closes_at: null });
});
