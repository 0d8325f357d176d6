import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { AdminDay, AdminFound, AdminPerson, AdminPost } from '#contract/admin.ts';
import { DAY_MS } from '#contract/durations.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { claimed, step } from '#tests/worker/support/claims.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { lostAndFound } from '#tests/worker/support/notices.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';
import { dayOf, nameDay, startOfDay } from '#worker/limits/limits.ts';

/** A post that matches no other post of this file. */
const HAT = { title: 'Kofia ya kijani', description: '', posted_by: 'finder' };

let admin: Person;

beforeAll(async () => {
  admin = await newPlatformAdmin();
});

async function search(q: string): Promise<AdminFound> {
  return (await call('GET', `/api/admin/search?q=${encodeURIComponent(q)}`, undefined, admin)).json<AdminFound>();
}

const pageOf = async (person: Person) =>
  (await call('GET', `/api/admin/users/${person.id}`, undefined, admin)).json<AdminPerson>();

test('admins find a person by name, e-mail, phone number or id, in any letter case and number format', async () => {
  const person = await newPerson({ username: 'Mwajuma Kilaza', email: 'Mwajuma.K@example.com' });
  const local = `0${person.phone.slice('+255'.length)}`;
  const typed = `${local.slice(0, 4)} ${local.slice(4, 7)}-${local.slice(7)}`;
  for (const q of [
    'mwajuma',
    'MWAJUMA KILAZA',
    'mwajuma.k@EXAMPLE.com',
    person.phone,
    typed,
    person.id,
    ' mwajuma k ',
  ]) {
    const { people, posts } = await search(q);
    expect([q, people.map(({ id }) => id), posts]).toEqual([q, [person.id], []]);
  }
});

test('admins find a post by its words or id, hidden or not, in any community', async () => {
  const post = await newPost(await newPerson(), { title: 'Zumaridi ya bibi', posted_by: 'finder' });
  await call('POST', `/api/admin/posts/${post.id}/hide`, { reason: 'Tusi' }, admin);
  for (const q of ['zumaridi', 'bibi ZUMARIDI', post.id]) {
    const { posts } = await search(q);
    expect([q, posts.map(({ id, hidden_by }) => [id, hidden_by])]).toEqual([q, [[post.id, ['admin']]]]);
  }
});

test('an admin search for an unknown or empty text or for special characters finds nothing', async () => {
  for (const q of ['hakunakabisa', '', '   ', '"', '%', '_', "' or 1=1 --"])
    expect([q, await search(q)]).toEqual([q, { people: [], posts: [] }]);
});

test('the admins’ page of a person contains the person’s account and posts, reports on these posts, and log entries about the person', async () => {
  const [person, reporter] = [await newPerson(), await newPerson()];
  const post = await newPost(person, { title: 'Kofia ya kijani', posted_by: 'finder' });
  await call('POST', `/api/posts/${post.id}/reports`, { reason: 'scam', text: 'Anaomba pesa' }, reporter);
  await call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Utapeli' }, admin);
  expect(await pageOf(person)).toMatchObject({
    id: person.id,
    username: person.username,
    email: person.email,
    whatsapp_number: person.phone,
    is_number_proven: false,
    is_platform_admin: false,
    is_suspended: true,
    suspended_at: expect.stringMatching(/Z$/),
    suspension_reason: 'Utapeli',
    post_count: 1,
    reports_against: 1,
    posts: [{ id: post.id, hidden_by: ['suspension'] }],
    reports: [{ reason: 'scam', text: 'Anaomba pesa', reporter_id: reporter.id, post_id: post.id }],
    log: [{ actor_id: admin.id, action: 'suspend', reason: 'Utapeli' }],
  });
  const page = await call('GET', `/api/admin/posts/${post.id}`, undefined, admin);
  expect(await page.json<AdminPost>()).toMatchObject({
    post: { id: post.id, is_hidden: true },
    author: { id: person.id, is_suspended: true },
    reports: [{ reason: 'scam' }],
    log: [],
  });
});

test('a report on a claim whose post was deleted is shown on the admins’ page of the reported person', async () => {
  const { finder, claimant, post, id } = await claimed();
  await call('DELETE', `/api/posts/${post.id}`, undefined, finder);
  const body = { reason: 'scam', text: 'Aliomba nauli' };
  expect((await step(id, 'reports', claimant, body)).status).toBe(201);
  expect((await pageOf(finder)).reports).toMatchObject([{ ...body, reporter_id: claimant.id, post_id: post.id }]);
  expect((await pageOf(claimant)).reports).toEqual([]);
});

test('the admins’ statistics of the last seven days have one row for each day, today first', async () => {
  const [loser, finder] = [await newPerson(), await newPerson()];
  const readToday = async () =>
    (await (await call('GET', '/api/admin/week', undefined, admin)).json<AdminDay[]>()).slice(0, 2);
  const [before] = await readToday();
  const { lost, found } = lostAndFound();
  await newPost(loser, lost);
  const foundPost = await newPost(finder, found);
  const old = await newPost(finder, { title: 'Kofia ya kijani', posted_by: 'finder' });
  await env.DB.prepare('update posts set created_at = created_at - 86400000 where id = ?').bind(old.id).run();
  await call('POST', `/api/posts/${foundPost.id}/reports`, { reason: 'other' }, loser);
  const { notices } = await (await call('GET', '/api/notices', undefined, loser)).json<{
    notices: { message: { pair_id: string } }[];
  }>();
  await call('POST', `/api/matches/${notices[0]?.message.pair_id}/dismiss`, undefined, loser);
  await call('PATCH', `/api/posts/${foundPost.id}/found`, undefined, finder);
  const [today, yesterday] = await readToday();
  const { day, ...numbers } = before ?? ({} as AdminDay);
  const midday = new Date(Date.now() + 3 * 60 * 60 * 1000).toISOString().slice(0, 10);
  expect(today).toEqual({
    day: midday,
    posts: numbers.posts + 2,
    matches_told: numbers.matches_told + 1,
    not_this_one: numbers.not_this_one + 1,
    returned: numbers.returned + 1,
    reports: numbers.reports + 1,
  });
  expect([day, yesterday?.posts]).toEqual([midday, 1]);
});

test('a row of the admins’ statistics counts the events of one day, from midnight to midnight in Tanzania', async () => {
  const daysAgo = 4;
  const start = startOfDay(dayOf(Date.now()) - daysAgo);
  const { id: person } = await newPerson();
  const insert = (table: string, row: Record<string, string | number>) =>
    env.DB.prepare(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
    )
      .bind(...Object.values(row))
      .run();
  const names = { owner_first_name: '', owner_last_name: '', location: 'Mwanza', phone_number: '', description: '' };
  const post = {
    author_id: person,
    title: 'Simu',
    ...names,
    posted_by: 'owner',
    kind: 'electronics',
    search_text: 'simu',
    is_found: 1,
  };
  // The first and last moment of the day, then the moments just before and just after the day.
  for (const [index, at] of [start, start + DAY_MS - 1, start - 1, start + DAY_MS].entries()) {
    const id = `wiki-${index}`;
    await insert('posts', { id: `${id}-mpya`, ...post, created_at: at, found_at: 1 });
    await insert('posts', { id: `${id}-rudi`, ...post, created_at: 1, found_at: at });
    for (const type of ['matching_post', 'password_changed'])
      await insert('notices', {
        id: id + type,
        recipient_id: person,
        type,
        body: '{}',
        created_at: at,
        delivered_at: 1,
      });
    for (const answer of ['dismissed', 'confirmed'])
      await insert('match_answers', { pair_id: id + answer, user_id: person, answer, answered_at: at });
    await insert('post_reports', { id, post_id: id, author_id: person, reason: 'scam', is_counted: 1, created_at: at });
  }
  const week = await (await call('GET', '/api/admin/week', undefined, admin)).json<AdminDay[]>();
  const today = dayOf(Date.now());
  expect(week.map(({ day }) => day)).toEqual([0, 1, 2, 3, 4, 5, 6].map((ago) => nameDay(today - ago)));
  const numbers = { matches_told: 2, not_this_one: 2, returned: 2, reports: 2 };
  expect(week[daysAgo]).toEqual({ day: nameDay(today - daysAgo), posts: 2, ...numbers });
  for (const ago of [daysAgo - 1, daysAgo + 1])
    expect(week[ago]).toMatchObject({ posts: 1, matches_told: 1, not_this_one: 1, returned: 1, reports: 1 });
});

test('the admins’ page of a person lists only this person’s posts and the reports on these posts, newest first', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const posts = [await newPost(person, HAT), await newPost(person, HAT)];
  const theirs = await newPost(other, HAT);
  const [first, second] = posts.map(({ id }) => id);
  for (const id of [first, second, theirs.id])
    await call('POST', `/api/posts/${id}/reports`, { reason: 'other' }, await newPerson());
  await env.DB.prepare('update post_reports set created_at = 1 where post_id = ?').bind(second).run();
  for (const verb of ['hide', 'restore', 'hide'])
    await call('POST', `/api/admin/posts/${first}/${verb}`, { reason: 'Tusi' }, admin);
  await call('POST', `/api/admin/posts/${theirs.id}/hide`, { reason: 'Tusi' }, admin);
  const page = await pageOf(person);
  expect(page.posts.map(({ id }) => id)).toEqual([second, first]);
  expect(page.reports.map(({ post_id }) => post_id)).toEqual([first, second]);
  expect(page.reports[1]?.created_at).toBe('1970-01-01T00:00:00.001Z');
  expect(page).toMatchObject({ is_suspended: false, suspended_at: null, suspension_reason: null, log: [] });
  expect(await pageOf(admin)).toMatchObject({ is_platform_admin: true, posts: [], reports: [] });
  const about = await (await call('GET', `/api/admin/posts/${first}`, undefined, admin)).json<AdminPost>();
  expect(about.reports.map(({ post_id }) => post_id)).toEqual([first]);
  const actions = about.log.map(({ action, target_type }) => `${action} ${target_type}`);
  expect(actions.toSorted()).toEqual(['hide post', 'hide post', 'restore post']);
  const moments = about.log.map(({ created_at }) => created_at);
  expect(moments).toEqual(moments.toSorted().toReversed());
});

test('the admins’ search finds people by the start of their name or e-mail, and lists the newest people first', async () => {
  const older = await newPerson({ username: 'Zawadi Mkubwa' });
  const newer = await newPerson({ username: 'Zawadi Mdogo' });
  await newPerson({ username: 'Mama Zawadi', email: 'mama.zawadi@example.com' });
  await newPerson({ username: 'Zawad' });
  await env.DB.prepare('update users set created_at = created_at - 1000 where id = ?').bind(older.id).run();
  expect((await search('zawadi')).people.map(({ id }) => id)).toEqual([newer.id, older.id]);
  const posts = [
    await newPost(older, { ...HAT, title: 'Kilemba' }),
    await newPost(newer, { ...HAT, title: 'Kilemba' }),
  ];
  expect((await search('kilemba')).posts.map(({ id }) => id)).toEqual(posts.map(({ id }) => id).toReversed());
});

test.each(['/api/admin/search?q=x', '/api/admin/users/ID', '/api/admin/posts/ID', '/api/admin/week', '/api/admin/log'])(
  'only platform admins may use the route %s',
  async (path) => {
    const person = await newPerson();
    const address = path.replace('ID', person.id);
    expect((await call('GET', address)).status).toBe(401);
    expect((await call('GET', address, undefined, person)).status).toBe(403);
  },
);

test('the admins’ page of an unknown person or post gives 404', async () => {
  for (const kind of ['users', 'posts'])
    expect((await call('GET', `/api/admin/${kind}/${crypto.randomUUID()}`, undefined, admin)).status).toBe(404);
});

test('among thousands of people and posts each admin request makes one database call and reads few rows', async () => {
  const author = await newPerson({ username: 'Aliyeandika mengi' });
  await insertPosts(
    author.id,
    Array.from({ length: 5_000 }, (_, index) => `Mwavuli mweusi ${index}`),
  );
  await env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
     insert into users (id, username, email, email_key, password_hash, created_at)
     select 'umati-' || i, 'umati ' || i, 'umati' || i || '@example.com', 'umati' || i || '@example.com', '', 0 from n`,
  ).run();
  await env.DB.prepare('update posts set created_at = created_at - 864000000 where author_id = ?')
    .bind(author.id)
    .run();
  for (const [path, rows] of [
    ['/api/admin/search?q=umati', 400],
    ['/api/admin/search?q=mwavuli', 400],
    ['/api/admin/search?q=hakuna', 50],
    ['/api/admin/week', 1_000],
  ] as const) {
    const { answer, trips, rowsRead } = await countTrips('GET', path, admin);
    expect([path, answer.status, trips]).toEqual([path, 200, 1]);
    expect(rowsRead, path).toBeLessThanOrEqual(rows);
  }
  expect((await search('umati')).people).toHaveLength(20);
});
