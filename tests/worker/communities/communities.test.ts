import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type {
  ApprovedCommunity,
  Community,
  CommunityMember,
  CommunityStats,
  CreatedCommunity,
} from '#contract/communities.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, newPerson, newPost, ORIGIN, somePost } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from '#tests/worker/support/communities.ts';
import { expectTrips } from '#tests/worker/support/count-trips.ts';

const CODE = /^[A-HJKMNP-Z2-9]{10}$/;

test('a new community waits for approval and its creator is its admin', async () => {
  const creator = await newPerson();
  const answer = await call(
    'POST',
    '/api/communities',
    { name: '  Stendi ya Ubungo ', description: ' Abiria ' },
    creator,
  );
  expect(answer.status).toBe(201);
  const created = await answer.json<CreatedCommunity>();
  expect(created).toEqual({
    id: expect.any(String),
    name: 'Stendi ya Ubungo',
    access_code: expect.stringMatching(CODE),
    approval_status: 0,
  });
  const [own] = await (await call('GET', '/api/communities', undefined, creator)).json<Community[]>();
  expect(own).toEqual({
    ...created,
    description: 'Abiria',
    community_code: expect.any(String),
    member_role: 'admin',
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    is_listed: true,
    pending_name: null,
    closes_at: null,
    is_suspended: false,
    suspension_reason: null,
  });
  expect(own?.community_code).not.toBe(created.access_code);
});

test('a community with a blank name is refused', async () => {
  const answer = await call('POST', '/api/communities', { name: '   ', description: '' }, await newPerson());
  expect(answer.status).toBe(422);
  expect(await answer.json<ErrorBody>()).toMatchObject({
    detail: 'Community name is required',
    errors: [{ field: 'name', message: 'Community name is required' }],
  });
});

test('a person’s eleventh new community in a day is refused', async () => {
  const creator = await newPerson();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('POST', '/api/communities', { name: 'Nyingi' }, creator)),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
  const refused = answers.find((answer) => answer.status === 429);
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(3600);
  const own = await (await call('GET', '/api/communities', undefined, creator)).json<Community[]>();
  expect(own).toHaveLength(10);
});

test('an access code is accepted in upper or lower case, with spaces or hyphens, or as a link to join', async () => {
  const { community } = await newApprovedCommunity({ name: 'Kata ya Sinza' });
  const code = community.access_code;
  const spellings = [
    code,
    code.toLowerCase(),
    ` ${code.slice(0, 5)} ${code.slice(5)} `,
    `${code.slice(0, 3)}-${code.slice(3, 6)}-${code.slice(6)}`,
    `${ORIGIN}/communities?join=${code}`,
    `https://elsewhere.test/communities?x=1&join=${code.toLowerCase()}#top`,
  ];
  for (const spelling of spellings) {
    const answer = await join(spelling, await newPerson());
    expect(answer.status, spelling).toBe(200);
    expect(await answer.json()).toEqual({ id: community.id, name: 'Kata ya Sinza' });
  }
});

test('a member sees the community but not its access code', async () => {
  const { community } = await newApprovedCommunity();
  const member = await newPerson();
  await join(community.access_code, member);
  for (const path of ['/api/communities', `/api/communities/${community.id}`]) {
    const body = await (await call('GET', path, undefined, member)).text();
    expect(body).toContain('"member_role":"member"');
    expect(body).not.toContain('access_code');
    expect(body).not.toContain(community.access_code);
  }
});

test('the refusal of an attempt to join by access code contains the reason', async () => {
  const { community } = await newApprovedCommunity();
  const waiting = await newCommunity(await newPerson());
  const person = await newPerson();
  expect((await join('ZZZZZZZZZZ', person)).status).toBe(404);
  expect((await join(waiting.access_code, person)).status).toBe(403);
  expect((await join(community.access_code, person)).status).toBe(200);
  const again = await join(community.access_code, { ...person, language: 'sw' });
  expect(again.status).toBe(409);
  expect((await again.json<ErrorBody>()).detail).toBe('Tayari wewe ni mwanachama wa jumuiya hii.');
  expect((await join('  ', person)).status).toBe(422);
});

test('concurrent requests of one person to join a community create only one membership', async () => {
  const { community, creator } = await newApprovedCommunity();
  const person = await newPerson();
  const answers = await Promise.all(Array.from({ length: 6 }, () => join(community.access_code, person)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const stats = await (await call('GET', `/api/communities/${community.id}/stats`, undefined, creator)).json();
  expect(stats).toMatchObject({ total_members: 2 });
});

test('after ten wrong access codes in an hour, even concurrent ones, the right access code is refused until the hour ends', async () => {
  const { community } = await newApprovedCommunity();
  const guesser = await newPerson();
  const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => join(`AAAAAAAA${n + 10}`, guesser)));
  const statuses = guesses.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  const right = await join(community.access_code, guesser);
  expect(right.status).toBe(429);
  expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(3_000);
  expect(Number(right.headers.get('Retry-After'))).toBeLessThanOrEqual(3_600);
  await env.DB.prepare('update rate_counters set window_ends_at = 1').run();
  expect((await join(community.access_code, guesser)).status).toBe(200);
});

test('right access codes use up no attempts at access codes', async () => {
  const person = await newPerson();
  const { community } = await newApprovedCommunity();
  expect((await join(community.access_code, person)).status).toBe(200);
  for (let n = 0; n < 12; n++) expect((await join(community.access_code, person)).status).toBe(409);
  for (let n = 0; n < 10; n++) expect((await join(`BBBBBBBB${n}A`, person)).status).toBe(404);
  expect((await join('BBBBBBBBBB', person)).status).toBe(429);
});

test('a request with a revoked session token uses up none of the account’s attempts at access codes', async () => {
  const person = await newPerson();
  const countAttempts = () =>
    env.DB.prepare("select total(count) as attempts from rate_counters where subject like 'wrong_access_code:%'").first(
      'attempts',
    );
  const before = await countAttempts();
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
  expect((await join('CCCCCCCCCC', person)).status).toBe(401);
  expect(await countAttempts()).toBe(before);
});

test('a search for communities covers name and description, regardless of case and accents', async () => {
  const creator = await newPerson();
  await newCommunity(creator, { name: 'Shule ya Jitegemee', description: 'Kurasini 100%' });
  await newCommunity(creator, { name: 'Soko la Kariakoo', description: 'Wafanyabiashara' });
  const search = async (text: string) => {
    const answer = await call('GET', `/api/communities?search=${encodeURIComponent(text)}`, undefined, creator);
    return (await answer.json<Community[]>()).map((community) => community.name);
  };
  expect(await search('JITEGÉMEE')).toEqual(['Shule ya Jitegemee']);
  expect(await search('kariakoo wafanya')).toEqual(['Soko la Kariakoo']);
  expect(await search('100%')).toEqual(['Shule ya Jitegemee']);
  expect(await search('%')).toEqual(['Shule ya Jitegemee']);
  expect(await search('hakuna')).toEqual([]);
});

test('every page of the list of approved communities omits access codes and pending communities', async () => {
  const name = `Orodha ${crypto.randomUUID()}`;
  const { community, creator } = await newApprovedCommunity({ name });
  for (let n = 0; n < 2; n++) await newApprovedCommunity({ name });
  await newCommunity(creator, { name });
  const person = await newPerson();
  await join(community.access_code, person);
  const seen: ApprovedCommunity[] = [];
  let path: string | null = `/api/communities/approved?search=${encodeURIComponent(name)}&limit=1`;
  while (path) {
    const answer: Response = await call('GET', path, undefined, person);
    const page = await answer.json<ApprovedCommunity[]>();
    expect(page).toHaveLength(1);
    seen.push(...page);
    path = /<(.+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null;
  }
  expect(seen).toHaveLength(3);
  const known = { id: community.id, name, description: '', member_count: 2 };
  expect(seen.at(-1)).toEqual({ ...known, is_member: true, has_requested: false });
  expect(seen[0]?.is_member).toBe(false);
  expect((await call('GET', '/api/communities/approved')).status).toBe(401);
  expect((await call('GET', '/api/communities/approved?cursor=x', undefined, person)).status).toBe(422);
});

test('the members of a community are listed in the order of joining, page by page', async () => {
  const { community, creator } = await newApprovedCommunity();
  const people = [await newPerson({ username: 'Asha' }), await newPerson({ username: 'Baraka' })];
  for (const person of people) await join(community.access_code, person);
  const path = `/api/communities/${community.id}/members`;
  const all = await (await call('GET', path, undefined, creator)).json<CommunityMember[]>();
  expect(all.map(({ username, role }) => [username, role])).toEqual([
    [creator.username, 'admin'],
    ['Asha', 'member'],
    ['Baraka', 'member'],
  ]);
  expect(all[1]).toEqual({
    user_id: people[0]?.id,
    username: 'Asha',
    role: 'member',
    joined_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const first = await call('GET', `${path}?limit=2`, undefined, creator);
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  const second = await call('GET', next, undefined, creator);
  expect([...(await first.json<CommunityMember[]>()), ...(await second.json<CommunityMember[]>())]).toEqual(all);
  expect(second.headers.get('Link')).toBeNull();
});

test('the statistics of a community count its members and its lost, found, open, returned and recent posts', async () => {
  const { community, creator } = await newApprovedCommunity();
  const code = await communityCodeOf(community.id, creator);
  const path = `/api/communities/${community.id}/stats`;
  const empty = await (await call('GET', path, undefined, creator)).json<CommunityStats>();
  expect(empty).toEqual({
    total_members: 1,
    total_posts: 0,
    found_items: 0,
    lost_items: 0,
    resolved_posts: 0,
    active_posts: 0,
    posts_last_7_days: 0,
    most_active_location: null,
    admin_username: creator.username,
  });
  const old = await newPost(creator, { community_code: code, posted_by: 'owner', location: 'Ubungo' });
  await newPost(creator, { community_code: code, location: 'École ya Kijitonyama' });
  await newPost(creator, { community_code: code, location: 'ubungo ' });
  const found = await newPost(creator, { community_code: code, location: ' UBUNGO' });
  await newPost(creator, { community_code: code, location: 'ÉCOLE YA KIJITONYAMA' });
  await newPost(creator, { location: 'École ya Kijitonyama' });
  await call('PATCH', `/api/posts/${found.id}/found`, undefined, creator);
  await env.DB.prepare('update posts set created_at = ? where id = ?')
    .bind(Date.now() - 8 * 864e5, old.id)
    .run();
  const stats = await (await call('GET', path, undefined, creator)).json<CommunityStats>();
  expect(stats).toEqual({
    total_members: 1,
    total_posts: 5,
    found_items: 4,
    lost_items: 1,
    resolved_posts: 1,
    active_posts: 4,
    posts_last_7_days: 4,
    most_active_location: 'UBUNGO',
    admin_username: creator.username,
  });
});

test('the count active_posts in a community’s statistics leaves out closed, resting and hidden posts', async () => {
  const { community, creator } = await newApprovedCommunity();
  const code = await communityCodeOf(community.id, creator);
  const post = async () => (await newPost(creator, { community_code: code })).id;
  const [closed, resting, hidden] = [await post(), await post(), await post(), await post()];
  await call('PUT', `/api/posts/${closed}/outcome`, { outcome: 'given_up' }, creator);
  await env.DB.batch([
    env.DB.prepare('update posts set away_since = ? where id = ?').bind(Date.now(), resting),
    env.DB.prepare('update posts set hidden_by = 2 where id = ?').bind(hidden),
  ]);
  const stats = await call('GET', `/api/communities/${community.id}/stats`, undefined, creator);
  expect(await stats.json<CommunityStats>()).toMatchObject({ total_posts: 4, active_posts: 1 });
});

test('a post with a community’s access code is saved in an approved community, and refused in a pending community', async () => {
  const { community, creator } = await newApprovedCommunity();
  const waiting = await newCommunity(creator);
  const refused = await call('POST', '/api/posts', { ...somePost, community_code: waiting.access_code }, creator);
  expect(refused.status).toBe(403);
  expect(await refused.json<ErrorBody>()).toMatchObject({ code: 'community_not_approved' });
  const code = await communityCodeOf(community.id, creator);
  const post = await newPost(creator, { community_code: community.access_code.toLowerCase() });
  expect(post).toMatchObject({ community_code: code, community_name: community.name });
});

test('GET routes under /api/communities refuse a request without a session token', async () => {
  const { community } = await newApprovedCommunity();
  for (const path of [
    '',
    '/approved',
    `/${community.id}`,
    `/${community.id}/stats`,
    `/${community.id}/qrcode/base64`,
  ]) {
    const answer = await call('GET', `/api/communities${path}`);
    expect(answer.status, path).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
});

test('reading a community calls the database once, and changing it at most twice', async () => {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const { token, id: personId } = await newPerson();
  const [first, second] = [await newCommunity(creator), await newCommunity(creator)];
  const at = `/api/communities/${community.id}`;
  const reads = [
    '/api/communities',
    '/api/communities/approved',
    at,
    `${at}/stats`,
    `${at}/members`,
    `${at}/qrcode/base64`,
    `${at}/join-requests`,
  ];
  for (const path of reads) await expectTrips(1, 200, 'GET', path, creator);
  for (const path of [
    '/api/admin/communities',
    `/api/admin/communities/${community.id}/members`,
    '/api/admin/feedback',
  ])
    await expectTrips(1, 200, 'GET', path, platformAdmin);
  await expectTrips(1, 404, 'POST', '/api/communities/join', { token, body: { access_code: 'x' } });
  await expectTrips(1, 200, 'POST', '/api/communities/join', { token, body: { access_code: community.access_code } });
  await expectTrips(2, 201, 'POST', '/api/communities', { token, body: { name: 'Mpya' } });
  const member = `${at}/members/${personId}`;
  await expectTrips(1, 200, 'PATCH', at, { ...creator, body: { description: 'Mpya' } });
  await expectTrips(1, 200, 'POST', `${at}/access-code`, creator);
  await expectTrips(1, 200, 'PUT', `${member}/role`, { ...creator, body: { role: 'admin' } });
  await expectTrips(1, 204, 'DELETE', member, creator);
  await expectTrips(1, 202, 'DELETE', at, creator);
  await expectTrips(1, 200, 'POST', `${at}/reopen`, creator);
  const asker = await newPerson();
  for (const [verb, status] of [
    ['', 201],
    [`/${asker.id}/accept`, 204],
  ] as const)
    await expectTrips(1, status, 'POST', `${at}/join-requests${verb}`, { ...(verb ? creator : asker), body: {} });
  const decide = (id: string, verb: string) => `/api/admin/communities/${id}/${verb}`;
  await expectTrips(2, 200, 'POST', decide(first.id, 'approve'), platformAdmin);
  await expectTrips(2, 204, 'POST', decide(second.id, 'reject'), { ...platformAdmin, body: { reason: 'La' } });
});

test('the query for a community’s statistics reads only database rows of this community', async () => {
  const { community, creator } = await newApprovedCommunity();
  const { rowsRead } = await expectTrips(1, 200, 'GET', `/api/communities/${community.id}/stats`, creator);
  await env.DB.batch(
    Array.from({ length: 50 }, (_, n) =>
      env.DB.prepare(
        `insert into posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number, description,
           posted_by, kind, search_text, created_at)
         values (?, ?, 'x', '', '', 'x', '0712345678', '', 'finder', 'other', 'x', 1)`,
      ).bind(`${community.id}-${n}`, creator.id),
    ),
  );
  const after = await expectTrips(1, 200, 'GET', `/api/communities/${community.id}/stats`, creator);
  expect(after.rowsRead).toBe(rowsRead);
});

test('the queries for statistics and lists of communities use database indexes', async () => {
  const plans = {
    'select count(*) from posts where community_id = ?': 'INDEX posts_by_community',
    'select * from memberships m where m.community_id = ? order by m.joined_at, m.user_id':
      'INDEX memberships_by_joining',
    'select * from communities where approval_status = ? order by created_at desc, id desc':
      'INDEX communities_by_status',
    'select * from memberships where user_id = ?': 'INDEX memberships_by_user',
    'select * from communities where access_code = ?': 'INDEX communities_access_code_unique',
  };
  for (const [query, index] of Object.entries(plans)) {
    const { results } = await env.DB.prepare(`explain query plan ${query}`).bind('x').all<{ detail: string }>();
    const plan = results.map((step) => step.detail).join('; ');
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

test('the list of communities to join reads no rows of communities that their admins keep unlisted', async () => {
  const person = await newPerson();
  const { rowsRead } = await expectTrips(1, 200, 'GET', '/api/communities/approved', person);
  await env.DB.batch(
    Array.from({ length: 50 }, (_, n) =>
      env.DB.prepare(
        `insert into communities (id, name, description, search_text, community_code, access_code, creator_id,
           approval_status, is_listed, created_at) values (?1, ?1, '', 'x', ?1, ?1, ?2, 1, 0, 1)`,
      ).bind(`unlisted-${n}`, person.id),
    ),
  );
  const after = await expectTrips(1, 200, 'GET', '/api/communities/approved', person);
  expect(after.rowsRead).toBe(rowsRead);
});
