import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { CommunityDecisionMessage, MatchingPostMessage } from '#contract/live-messages.ts';
import type { NoticeList } from '#contract/notices.ts';
import { call, newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import { expectTrips } from '#tests/worker/support/count-trips.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled, untilHeard } from '#tests/worker/support/notices.ts';
import { forgetPosts, judge, pairsOf, postAndMatch, saveMatched, sweepIn } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { endOfDay } from '#worker/limits/limits.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { switchChannel } from '#worker/notices/settings.ts';

describe('the list of notices', () => {
  beforeEach(forgetPosts);

  async function twoPeople(): Promise<[Somebody, Somebody]> {
    const [owner, finder] = await newPeople(2);
    if (!owner || !finder) throw new Error('nobody');
    return [owner, finder];
  }

  /** Creates an owner with this many match notices. `others`: the ids of the matching posts, oldest first. */
  async function tellMatches(count: number) {
    const [owner, finder] = await twoPeople();
    const { lost, found } = lostAndFound();
    const mine = await postAndMatch(owner, lost);
    const others: string[] = [];
    for (let told = 0; told < count; told++) others.push(await postAndMatch(finder, found));
    return { owner, finder, mine, others, texts: { lost, found } };
  }

  async function list(person: Somebody, query = '') {
    const answer = await call('GET', `/api/notices${query}`, undefined, person);
    expect(answer.status).toBe(200);
    return {
      ...(await answer.json<NoticeList>()),
      next: /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1],
    };
  }

  async function countUnacknowledged(person: Somebody): Promise<number> {
    const live = await connect(person);
    await settled(live);
    live.socket.close();
    return live.messages.length;
  }

  test('contains a person’s notices, newest first, in pages, with the same data as the messages sent over the WebSocket', async () => {
    const { owner, mine, others } = await tellMatches(3);
    const live = await connect(owner);
    await settled(live);
    const first = await list(owner, '?limit=2');
    expect(first.unread_count).toBe(3);
    expect(first.notices).toHaveLength(2);
    const second = await list(owner, first.next?.replace('/api/notices', ''));
    expect(second.next).toBeUndefined();
    const all = [...first.notices, ...second.notices];
    expect(all.map(({ message }) => message)).toEqual([...live.messages].reverse());
    expect(all[0]).toMatchObject({ read_at: null, is_open: true, message: { your_post_id: mine } });
    expect(all.map(({ message }) => message.type === 'matching_post' && message.post_id).sort()).toEqual(others.sort());
  });

  test('shows a notice only to its recipient, and nobody else can mark the notice as read or dismiss it', async () => {
    const { owner, finder } = await tellMatches(1);
    const [notice] = (await list(owner)).notices;
    const id = notice?.message.id ?? '';
    expect(await list(finder)).toMatchObject({ unread_count: 0, notices: [] });
    expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, finder)).status).toBe(404);
    await call('POST', '/api/notices/read', { ids: [id], up_to: id }, finder);
    expect(await list(owner)).toMatchObject({ unread_count: 1 });
    const refusals = await Promise.all([
      call('GET', '/api/notices'),
      call('POST', '/api/notices/read', { ids: [id] }),
      call('POST', `/api/notices/${id}/dismiss`),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('shows a notice as read once the user has marked the notice as read', async () => {
    const { owner } = await tellMatches(2);
    const { notices } = await list(owner);
    expect(await countUnacknowledged(owner)).toBe(2);
    const answer = await call('POST', '/api/notices/read', { ids: [notices[1]?.message.id] }, owner);
    expect(await answer.json()).toEqual({ unread_count: 1 });
    await expect.poll(() => countUnacknowledged(owner)).toBe(1);
    expect((await list(owner)).notices.map(({ read_at }) => read_at === null)).toEqual([true, false]);
  });

  test('shows newer notices as unread after all notices up to a given notice were marked as read', async () => {
    const { owner, finder, texts } = await tellMatches(2);
    const newest = (await list(owner)).notices[0]?.message.id;
    await postAndMatch(finder, texts.found);
    const answer = await call('POST', '/api/notices/read', { up_to: newest }, owner);
    expect(await answer.json()).toEqual({ unread_count: 1 });
    const again = await call('POST', '/api/notices/read', { up_to: newest }, owner);
    expect(await again.json()).toEqual({ unread_count: 1 });
  });

  test('does not contain a dismissed match notice, even after both matching posts are edited', async () => {
    const { owner, finder, mine, others, texts } = await tellMatches(1);
    const id = (await list(owner)).notices[0]?.message.id ?? '';
    for (let time = 0; time < 2; time++)
      expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, owner)).status).toBe(204);
    await expect.poll(() => countUnacknowledged(owner)).toBe(0);
    expect(await list(owner)).toMatchObject({ unread_count: 0, notices: [] });
    const rest = { location: 'Kariakoo, Dar es Salaam', phone_number: '0712345678' };
    for (const [person, post, text] of [
      [owner, mine, texts.lost],
      [finder, others[0] ?? '', texts.found],
    ] as const) {
      const changed = { ...text, ...rest, title: `${text.title}!` };
      expect((await call('PUT', `/api/posts/${post}`, changed, person)).status).toBe(200);
      await expect
        .poll(() => env.DB.prepare('select match_pending_since as due from posts where id = ?').bind(post).first())
        .toEqual({ due: null });
      expect(await (await call('GET', `/api/posts/${post}/matches`, undefined, person)).json()).toEqual([]);
      expect(await (await call('GET', '/api/matches/counts', undefined, person)).json()).toEqual({});
    }
    await sweepIn(5);
    expect(await pairsOf(mine)).toMatchObject([{ dismissed_at: expect.any(Number) }]);
    expect(await countUnacknowledged(owner)).toBe(0);
    expect(await countUnacknowledged(finder)).toBe(0);
    expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, owner)).status).toBe(204);
  });

  test('contains an unread match notice once, with the new data, after the matching post is edited', async () => {
    const { owner, finder, others, texts } = await tellMatches(1);
    const early = await connect(owner);
    await settled(early);
    const corrected = { ...texts.found, location: 'Kariakoo, Dar es Salaam', phone_number: '0754000111' };
    expect((await call('PUT', `/api/posts/${others[0]}`, corrected, finder)).status).toBe(200);
    const numbers = async () => {
      const live = await connect(owner);
      await settled(live);
      live.socket.close();
      return live.messages.map((message) => message.type === 'matching_post' && message.phone_number);
    };
    await expect.poll(numbers).toEqual(['0754000111']);
    expect(early.messages).toHaveLength(1);
  });

  test('contains a read match notice with is_open false if the matching post is returned, and no notice if the post is deleted', async () => {
    const { owner, finder, others } = await tellMatches(2);
    const { notices } = await list(owner);
    await call('POST', '/api/notices/read', { up_to: notices[0]?.message.id }, owner);
    await call('PATCH', `/api/posts/${others[0]}/found`, undefined, finder);
    await call('DELETE', `/api/posts/${others[1]}`, undefined, finder);
    await expect
      .poll(async () => (await list(owner)).notices)
      .toMatchObject([{ is_open: false, message: { post_id: others[0] } }]);
  });

  test('has no notices about posts of a community that the person left', async () => {
    const [owner, finder] = await twoPeople();
    const communityId = crypto.randomUUID();
    const statements = [
      `insert into communities (id, name, description, search_text, community_code, access_code, approval_status, creator_id, created_at)
     values ('${communityId}', 'Shule', '', '', '${communityId}', 'a${communityId}', 1, '${finder.id}', 0)`,
      ...[owner, finder].map(
        ({ id }) =>
          `insert into memberships (community_id, user_id, role, joined_at) values ('${communityId}', '${id}', 'member', 0)`,
      ),
    ];
    await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
    const { lost, found } = lostAndFound();
    await postAndMatch(owner, lost);
    await postAndMatch(finder, { ...found, communityId });
    expect(await list(owner)).toMatchObject({ unread_count: 1, notices: [{ is_open: true }] });
    await env.DB.prepare('delete from memberships where user_id = ?').bind(owner.id).run();
    expect(await list(owner)).toMatchObject({ unread_count: 0, notices: [] });
  });

  test('contains, for the creator of a rejected community, the notice about the rejection', async () => {
    const [creator] = await twoPeople();
    const message: CommunityDecisionMessage = {
      type: 'community_rejected',
      id: crypto.randomUUID(),
      community_id: 'a-community',
      name: 'Shule ya Msingi',
      reason: 'Jina halieleweki.',
      created_at: new Date().toISOString(),
    };
    await env.DB.prepare('insert into notices (id, recipient_id, type, body, created_at) values (?, ?, ?, ?, ?)')
      .bind(message.id, creator.id, message.type, JSON.stringify(message), Date.now())
      .run();
    const live = await connect(creator);
    await deliverNotices(env, openDb(env), [message.id]);
    await expect.poll(() => live.messages).toEqual([message]);
    expect((await list(creator)).notices).toMatchObject([{ message, is_open: true }]);
    expect((await call('POST', `/api/notices/${message.id}/dismiss`, undefined, creator)).status).toBe(404);
  });

  test('refuses an invalid request and reports every invalid field', async () => {
    const [person] = await twoPeople();
    const bad = ['?limit=0', '?limit=101', '?cursor=7', '?cursor=nonsense'];
    for (const query of bad) expect((await call('GET', `/api/notices${query}`, undefined, person)).status).toBe(422);
    for (const body of [
      { ids: 'x' },
      { ids: [1] },
      { ids: ['x'.repeat(65)] },
      { ids: Array(101).fill('x') },
      { up_to: 3 },
    ])
      expect((await call('POST', '/api/notices/read', body, person)).status).toBe(422);
    expect((await call('POST', '/api/notices/read', '{', person)).status).toBe(400);
    expect(await (await call('POST', '/api/notices/read', {}, person)).json()).toEqual({ unread_count: 0 });
  });

  test('refuses a revoked session token in a request to list notices, mark a notice as read or dismiss a notice', async () => {
    const { owner } = await tellMatches(1);
    const id = (await list(owner)).notices[0]?.message.id ?? '';
    await env.DB.prepare('update users set token_version = 2 where id = ?').bind(owner.id).run();
    const answers = await Promise.all([
      call('GET', '/api/notices', undefined, owner),
      call('POST', '/api/notices/read', { ids: [id] }, owner),
      call('POST', `/api/notices/${id}/dismiss`, undefined, owner),
      call('POST', '/api/realtime/ticket', undefined, owner),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const row = await env.DB.prepare(
      'select n.read_at, m.dismissed_at from notices n join match_pairs m on m.id = n.pair_id where n.id = ?',
    )
      .bind(id)
      .first();
    expect(row).toEqual({ read_at: null, dismissed_at: null });
  });

  test('is loaded in one database call; marking a notice as read and dismissing a notice also take one call each', async () => {
    const { owner, mine } = await tellMatches(2);
    const id = (await list(owner)).notices[0]?.message.id ?? '';
    await expectTrips(1, 200, 'GET', '/api/notices', owner);
    await expectTrips(1, 200, 'POST', '/api/notices/read', { ...owner, body: { ids: [id] } });
    await expectTrips(1, 204, 'POST', `/api/notices/${id}/dismiss`, owner);
    await expectTrips(1, 200, 'GET', `/api/posts/${mine}/matches`, owner);
    await expectTrips(1, 200, 'GET', '/api/matches/counts', owner);
    await expectTrips(1, 200, 'POST', '/api/realtime/ticket', owner);
  });
});

const NOTICES_WITH_NUMBER = 50;

async function tell(recipient: Person, count: number): Promise<void> {
  const own = await saveMatched(recipient, 'owner');
  for (let told = 0; told < count; told++) {
    const found = await saveMatched(await newPerson(), 'finder');
    await judge(found, { [own]: 'sure' });
  }
}

async function messagesOf(recipient: Person): Promise<MatchingPostMessage[]> {
  const list = await (await call('GET', '/api/notices?limit=100', undefined, recipient)).json<NoticeList>();
  return list.notices.map(({ message }) => message as MatchingPostMessage).reverse();
}

/** Records that the person has received this many notices with a phone number today. */
async function store(recipient: Person, count: number): Promise<void> {
  await env.DB.prepare('insert into given_numbers (reader_id, day_ends_at, notice_count) values (?, ?, ?)')
    .bind(recipient.id, endOfDay(Date.now()), count)
    .run();
}

test('a person’s first fifty match notices a day contain the matching post’s phone number, and later notices that day do not', async () => {
  const recipient = await newPerson();
  await store(recipient, NOTICES_WITH_NUMBER - 1);
  const heard = await connect(recipient);
  await tell(recipient, 2);
  await untilHeard(heard, 2);
  const [last, beyond] = await messagesOf(recipient);
  expect(last).toMatchObject({ phone_number: '0712345678', is_contact_limited: false, contact_opens_at: null });
  expect(beyond).toMatchObject({
    phone_number: null,
    is_contact_limited: true,
    contact_opens_at: new Date(endOfDay(Date.now())).toISOString(),
  });
  expect(heard.messages).toEqual([last, beyond]);
});

test('a withdrawn match notice still counts towards the daily limit of fifty match notices with a phone number', async () => {
  const recipient = await newPerson();
  await tell(recipient, 2);
  await env.DB.prepare('delete from notices where recipient_id = ?').bind(recipient.id).run();
  await tell(recipient, 1);
  const row = await env.DB.prepare('select notice_count, post_count from given_numbers where reader_id = ?')
    .bind(recipient.id)
    .first();
  expect(row).toEqual({ notice_count: 3, post_count: 0 });
  const places = await env.DB.prepare('select place_in_day from notices where recipient_id = ?')
    .bind(recipient.id)
    .all();
  expect(places.results).toEqual([{ place_in_day: 3 }]);
});

test('the daily limit of fifty match notices with a phone number resets at midnight in Tanzania', async () => {
  const { id } = await newPerson();
  const times = ['2026-11-22T20:59:59.999Z', '2026-11-22T21:00:00.000Z', '2026-11-23T20:59:59.999Z'].map(Date.parse);
  for (const time of times)
    await env.DB.prepare("insert into notices (id, recipient_id, type, created_at) values (?, ?, 'matching_post', ?)")
      .bind(crypto.randomUUID(), id, time)
      .run();
  const { results } = await env.DB.prepare(
    'select day_ends_at, notice_count from given_numbers where reader_id = ? order by day_ends_at',
  )
    .bind(id)
    .all();
  expect(results).toEqual([
    { day_ends_at: endOfDay(times[0] ?? 0), notice_count: 1 },
    { day_ends_at: endOfDay(times[1] ?? 0), notice_count: 2 },
  ]);
});

test('a notice that a community was approved does not count towards the daily limit of match notices with a phone number', async () => {
  const { id } = await newPerson();
  await env.DB.prepare("insert into notices (id, recipient_id, type, body, created_at) values ('d', ?, ?, '{}', 1)")
    .bind(id, 'community_approved')
    .run();
  expect(await env.DB.prepare('select 1 from given_numbers where reader_id = ?').bind(id).first()).toBeNull();
});

describe('notice settings', () => {
  afterEach(() => void vi.unstubAllGlobals());

  const PATH = '/api/me/notice-settings';

  const read = async (person: Person) => (await call('GET', PATH, undefined, person)).json<NoticeSettings>();
  const proveNumber = (person: Person) =>
    env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(person.id).run();

  test('are by default: pushes, e-mails and quiet hours on, WhatsApp off', async () => {
    expect(await read(await newPerson())).toEqual({
      push: true,
      whatsapp: false,
      email: true,
      quiet_from: '21:00',
      quiet_to: '06:00',
    });
  });

  test('are returned as they were saved, and only to the person who saved them', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await proveNumber(person);
    const settings = { push: false, whatsapp: true, email: false, quiet_from: '22:30', quiet_to: '00:00' };
    const silent = { ...settings, whatsapp: false, quiet_from: null, quiet_to: null };
    for (const each of [settings, silent, silent]) {
      const answer = await call('PUT', PATH, each, person);
      expect([answer.status, await answer.json()]).toEqual([200, each]);
      expect(await read(person)).toEqual(each);
    }
    expect(await read(other)).toEqual(DEFAULT_NOTICE_SETTINGS);
  });

  test.each<[what: string, change: object, field: string]>([
    ['quiet hours that begin and end at the same time', { quiet_from: '21:00', quiet_to: '21:00' }, 'quiet_to'],
    ['quiet hours without an end', { quiet_from: '21:00', quiet_to: null }, 'quiet_to'],
    ['quiet hours without a beginning', { quiet_from: null, quiet_to: '06:00' }, 'quiet_to'],
    ['an impossible hour', { quiet_from: '24:00' }, 'quiet_from'],
    ['an impossible minute', { quiet_to: '06:60' }, 'quiet_to'],
    ['a time without its leading zero', { quiet_to: '6:00' }, 'quiet_to'],
    ['a number instead of a time', { quiet_to: 6 }, 'quiet_to'],
    ['no value for a channel', { push: undefined }, 'push'],
    ['no field for the end of the quiet hours', { quiet_to: undefined }, 'quiet_to'],
    ['a word instead of true or false', { email: 'ndiyo' }, 'email'],
  ])('are not saved by a request with %s, and the error names the field', async (_what, change, field) => {
    const person = await newPerson();
    const answer = await call('PUT', PATH, { ...DEFAULT_NOTICE_SETTINGS, ...change }, person);
    const { errors } = await answer.json<ErrorBody>();
    expect([answer.status, errors?.map((error) => error.field)]).toEqual([422, [field]]);
    expect(await read(person)).toEqual(DEFAULT_NOTICE_SETTINGS);
  });

  test('allow WhatsApp only with a proven phone number', async () => {
    const person = await newPerson();
    const wanted = { ...DEFAULT_NOTICE_SETTINGS, whatsapp: true };
    const refused = await call('PUT', PATH, wanted, person);
    expect([refused.status, (await refused.json<ErrorBody>()).code]).toEqual([409, 'number_not_proven']);
    expect(await read(person)).toEqual(DEFAULT_NOTICE_SETTINGS);
    await proveNumber(person);
    expect((await call('PUT', PATH, wanted, person)).status).toBe(200);
  });

  test('keep the values of all other channels when a person switches one channel on or off outside the app', async () => {
    const [settled, fresh] = [await newPerson(), await newPerson()];
    const db = openDb(env);
    const own = { push: false, whatsapp: false, email: true, quiet_from: null, quiet_to: null };
    await call('PUT', PATH, own, settled);
    for (const person of [settled, fresh]) await switchChannel(db, sql`${person.id}`, 'email', false);
    expect(await read(settled)).toEqual({ ...own, email: false });
    expect(await read(fresh)).toEqual({ ...DEFAULT_NOTICE_SETTINGS, email: false });
    await switchChannel(db, sql`${fresh.id}`, 'whatsapp', true);
    expect(await read(fresh)).toEqual({ ...DEFAULT_NOTICE_SETTINGS, email: false, whatsapp: true });
  });

  test('are saved even if the person’s mailbox cannot be reached, and the failure is logged', async () => {
    const logs = captureLogs();
    const person = await newPerson();
    const settings = { ...DEFAULT_NOTICE_SETTINGS, push: false };
    const USER_CHANNEL = { getByName: () => ({ reconsider: () => Promise.reject(new TypeError('unreachable')) }) };
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` };
    const request = new Request(`${ORIGIN}${PATH}`, { method: 'PUT', headers, body: JSON.stringify(settings) });
    const ctx = createExecutionContext();
    const answer = await app.fetch(request, { ...env, USER_CHANNEL } as never, ctx);
    await waitOnExecutionContext(ctx);
    expect([answer.status, await read(person)]).toEqual([200, settings]);
    expect(logs.warn).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'mailbox_unreachable', name: 'TypeError' }),
    );
  });
});
