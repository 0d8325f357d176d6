import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { NoticeList } from '#contract/notices.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { judge, saveMatched } from './support/judged-posts.ts';
import { connect, untilHeard } from './support/live.ts';

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

/** As if so many had been stored for the person today. */
async function store(recipient: Person, count: number): Promise<void> {
  await env.DB.prepare('insert into given_numbers (reader_id, day_ends_at, notice_count) values (?, ?, ?)')
    .bind(recipient.id, endOfDay(Date.now()), count)
    .run();
}

test('fifty matching notices a day carry a number, in the list and over the socket', async () => {
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

test('notices count when they are stored: one that is gone has counted, and lists have an allowance of their own', async () => {
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

test('a day of notices is one in Tanzania', async () => {
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

test('a community’s decision counts for nothing', async () => {
  const { id } = await newPerson();
  await env.DB.prepare("insert into notices (id, recipient_id, type, body, created_at) values ('d', ?, ?, '{}', 1)")
    .bind(id, 'community_approved')
    .run();
  expect(await env.DB.prepare('select 1 from given_numbers where reader_id = ?').bind(id).first()).toBeNull();
});
