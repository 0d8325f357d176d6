/// <reference types="vite/types/importMeta.d.ts" />
import { createMessageBatch, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import * as schema from '#tests/support/find-inconsistencies.ts';
import { call, newPerson } from '#tests/worker/support/api.ts';
import { counting, recording } from '#tests/worker/support/count-trips.ts';
import { lostAndFound } from '#tests/worker/support/notices.ts';
import { postAndMatch } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { batch, openDb } from '#worker/db/client.ts';
import worker from '#worker/index.ts';
import { finishDelivering } from '#worker/notices/deliver-notices.ts';
import { clearExpired, planDeletions } from '#worker/retention.ts';
import { sweep } from '#worker/sweep.ts';

describe('the Worker', () => {
  const [CONFIGURATION = ''] = Object.values(
    import.meta.glob<string>('/wrangler.toml', { query: '?raw', import: 'default', eager: true }),
  );

  afterEach(() => vi.unstubAllGlobals());

  test('runs the other steps of the scheduled job if one step fails, and logs each failed step', async () => {
    const logs = captureLogs();
    const refuse = () => {
      throw new TypeError('no answer');
    };
    await sweep({
      ...env,
      DB: { withSession: () => ({ prepare: refuse, batch: refuse }) },
      WHATSAPP_QUEUE: { send: refuse },
      BACKUPS: { list: refuse },
    } as never);
    const failed = logs.error.mock.calls.map(([line]) => line).filter(({ event }) => event === 'sweep_failed');
    expect(failed.map(({ step }) => step)).toEqual([
      'finish_due_declines',
      'tell_admins',
      'rest_posts',
      'ask_authors',
      'close_communities',
      'finish_delivering',
      'finish_queueing',
      'finish_closing_sockets',
      'finish_erasing',
      'delete_photo_leftovers',
      'send_heartbeat',
      'refresh_shares',
      'list_erased',
      'write_export',
      'delete_old_exports',
      'clear_expired',
      'finish_matching',
      'renew_readings',
      'renew_texts',
    ]);
  });

  test('runs the scheduled job when the cron trigger fires', async () => {
    await env.DB.prepare("insert into rate_counters (subject, count, window_ends_at) values ('zamani', 1, 1)").run();
    await worker.scheduled(createScheduledController(), env);
    expect(await env.DB.prepare("select 1 from rate_counters where subject = 'zamani'").first()).toBeNull();
  });

  test('has a handler for every queue in wrangler.toml, and throws an error for any other queue', async () => {
    const queues = [...CONFIGURATION.matchAll(/^queue = "(.+)"$/gm)].map(([, queue = '']) => queue);
    expect(new Set(queues).size).toBe(14);
    for (const queue of queues) await worker.queue(createMessageBatch(queue, []), env);
    await expect(worker.queue(createMessageBatch('patikana-nyingine', []), env)).rejects.toThrow('patikana-nyingine');
  });
});

const NOW = Date.now();
type Row = Record<string, string | number>;

async function insert(table: string, row: Row): Promise<void> {
  const marks = Object.keys(row).map(() => '?');
  const statement = `insert into ${table} (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`;
  await env.DB.prepare(statement)
    .bind(...Object.values(row))
    .run();
}

const MESSAGE = { kind: 'reset_code', language: 'sw', status: 'accepted', attempts: 1, updated_at: 0 };
const EMAIL = { kind: 'confirm_email', status: 'accepted', attempts: 1, updated_at: 0 };
const REPORT = { reason: 'scam', is_counted: 1 };
const POST = {
  ...{ title: 'Simu', owner_first_name: '', owner_last_name: '', location: 'Mwanza', phone_number: '' },
  ...{ description: '', posted_by: 'owner', kind: 'electronics', search_text: 'simu', created_at: 0, is_found: 1 },
};
const CLAIM = { post_kind: 'other', state: 'declined', finder_updated_at: 0, claimant_updated_at: 0 };
const NOTICE = { type: 'password_changed', body: '{}', delivered_at: 1 };
const CODE = { request_id: '', code_digest: '' };

test.each<[table: string, keptMs: number, key: string, at: string, rest: (id: string, person: string) => Row]>([
  ['rate_counters', 0, 'subject', 'window_ends_at', () => ({ count: 1 })],
  [
    'idempotency_keys',
    24 * HOUR_MS,
    'key',
    'created_at',
    (_id, user_id) => ({ user_id, post_id: '', body_digest: '' }),
  ],
  ['moderation_log', 365 * 24 * HOUR_MS, 'id', 'created_at', () => ({ action: 'hide', target_type: 'post' })],
  ['post_reports', 365 * 24 * HOUR_MS, 'id', 'created_at', (id, author_id) => ({ ...REPORT, post_id: id, author_id })],
  ['claims', 365 * 24 * HOUR_MS, 'id', 'created_at', (post_id) => ({ ...CLAIM, post_id })],
  ['claim_reports', 365 * 24 * HOUR_MS, 'id', 'created_at', (id) => ({ claim_id: id, post_id: id, reason: 'scam' })],
  [
    'moderation_cases',
    365 * 24 * HOUR_MS,
    'id',
    'since',
    (post_id) => ({ post_id, status: 'decided', tell_due_at: 0 }),
  ],
  ['community_removals', 30 * 24 * HOUR_MS, 'community_id', 'removed_at', (_id, user_id) => ({ user_id })],
  [
    'join_requests',
    7 * 24 * HOUR_MS,
    'id',
    'declined_at',
    (community_id, user_id) => ({ community_id, user_id, created_at: NOW }),
  ],
  [
    'community_rejections',
    365 * 24 * HOUR_MS,
    'id',
    'rejected_at',
    (_id, user_id) => ({ user_id, name: 'Jina', reason: 'La' }),
  ],
  ['given_numbers', 0, 'reader_id', 'day_ends_at', () => ({})],
  ['reset_codes', 24 * HOUR_MS, 'number_key', 'issued_at', (request_id) => ({ ...CODE, request_id })],
  [
    'number_codes',
    24 * HOUR_MS,
    'id',
    'issued_at',
    (number) => ({ kind: 'prove_number', subject: number, number, code_digest: '', language: 'sw', updated_at: NOW }),
  ],
  ['number_proofs', 24 * HOUR_MS, 'id', 'created_at', (number) => ({ number, secret_digest: '', text_digest: number })],
  ['whatsapp_incoming', 192 * HOUR_MS, 'id', 'received_at', () => ({})],
  ['whatsapp_outbox', 24 * HOUR_MS, 'message_id', 'created_at', () => ({ job: '{}', due_at: 0 })],
  ['whatsapp_messages', 192 * HOUR_MS, 'id', 'created_at', (_id, recipient_id) => ({ ...MESSAGE, recipient_id })],
  ['email_messages', 192 * HOUR_MS, 'id', 'created_at', (_id, recipient_id) => ({ ...EMAIL, recipient_id })],
  ['whatsapp_deliveries', 192 * HOUR_MS, 'wamid', 'reported_at', () => ({ status: 'read', rank: 1 })],
  ['push_dead_letters', 192 * HOUR_MS, 'id', 'recorded_at', () => ({ notice_id: '' })],
  [
    'devices',
    30 * 24 * HOUR_MS,
    'id',
    'ended_at',
    (_id, user_id) => ({ user_id, name: '', created_at: 0, last_seen_at: NOW, closed_at: 1 }),
  ],
  ['feedback', 365 * 24 * HOUR_MS, 'id', 'created_at', () => ({ email: 'mtu@example.com', message: 'Asanteni' })],
  ['notices', 365 * 24 * HOUR_MS, 'id', 'created_at', (_id, recipient_id) => ({ ...NOTICE, recipient_id })],
  ['posts', 365 * 24 * HOUR_MS, 'id', 'found_at', (_id, author_id) => ({ ...POST, author_id })],
  ['whatsapp_dead_letters', 192 * HOUR_MS, 'id', 'recorded_at', () => ({ kind: 'reset_code' })],
])(
  'in the table %s, the scheduled job deletes each row %i ms after the row’s date (of its creation, end or expiry)',
  async (table, keptMs, key, at, rest) => {
    const { id: person } = await newPerson();
    const ages = { expired: keptMs + 1, young: keptMs - 1, due: keptMs };
    for (const [name, age] of Object.entries(ages))
      await insert(table, { [key]: name, [at]: NOW - age, ...rest(name, person) });
    await clearExpired(openDb(env), NOW);
    const { results } = await env.DB.prepare(
      `select ${key} as name from ${table} where ${key} in ('expired', 'young', 'due') order by 1 desc`,
    ).all();
    // The date of `due` lies exactly `keptMs` back. `due` is deleted only if the date is an expiry (0 ms).
    expect(results).toEqual([{ name: 'young' }, ...(keptMs === 0 ? [] : [{ name: 'due' }])]);
  },
);

test('one run of the scheduled job deletes a limited number of rows, and the next run deletes the remaining rows', async () => {
  await env.DB.exec(
    `with recursive series (n) as (select 1 union all select n + 1 from series limit 1500)
     insert into rate_counters (subject, count, window_ends_at) select n, 1, 1 from series`.replaceAll('\n', ' '),
  );
  const count = () => env.DB.prepare('select count(*) as n from rate_counters where window_ends_at = 1').first('n');
  const db = openDb(env);
  await clearExpired(db, NOW);
  expect(await count()).toBe(500);
  await clearExpired(db, NOW);
  expect(await count()).toBe(0);
});

test('more than a year after a post was marked as found, the scheduled job deletes the post, its matches and its notices', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const drafts = lostAndFound();
  const lost = await postAndMatch(owner, drafts.lost);
  const found = await postAndMatch(finder, drafts.found);
  const db = openDb(env);
  const count = (table: string, column: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where ${column} = ?`).bind(lost).first('n');
  expect(await count('match_pairs', 'lost_post_id')).toBe(1);
  expect(await count('notices', 'your_post_id')).toBe(1);
  await call('PATCH', `/api/posts/${lost}/found`, undefined, owner);
  const marked = await env.DB.prepare('select found_at from posts where id = ?').bind(lost).first<number>('found_at');
  const year = 365 * 24 * HOUR_MS;
  await clearExpired(db, (marked ?? 0) + year);
  expect(await count('posts', 'id')).toBe(1);
  const later = (marked ?? 0) + year + 1;
  await clearExpired(db, later);
  await finishDelivering(env, db, later);
  for (const [table, column] of [
    ['posts', 'id'],
    ['match_pairs', 'lost_post_id'],
    ['notices', 'your_post_id'],
  ] as const)
    expect([table, await count(table, column)]).toEqual([table, 0]);
  // The other post is open, so its age does not matter.
  expect((await call('GET', `/api/posts/${found}`)).status).toBe(200);
});

test('the scheduled job keeps reports until an admin has decided on them, and keeps decisions while the post exists', async () => {
  const { id: author_id } = await newPerson();
  await insert('posts', { id: 'is-there', author_id, ...POST, found_at: NOW });
  for (const post_id of ['is-open', 'is-decided', 'is-there']) {
    const status = post_id === 'is-open' ? 'open' : 'decided';
    await insert('moderation_cases', { id: post_id, post_id, status, since: 0, tell_due_at: 0 });
    await insert('post_reports', { id: post_id, post_id, author_id, created_at: 0, ...REPORT });
    await insert('claim_reports', { id: post_id, claim_id: post_id, post_id, created_at: 0, reason: 'scam' });
  }
  await clearExpired(openDb(env), NOW);
  const idsIn = async (table: string) => {
    const { results } = await env.DB.prepare(`select id from ${table} where id like 'is-%' order by id`).all();
    return results.map(({ id }) => id);
  };
  expect(await idsIn('moderation_cases')).toEqual(['is-open', 'is-there']);
  expect(await idsIn('post_reports')).toEqual(['is-open']);
  expect(await idsIn('claim_reports')).toEqual(['is-open']);
});

test('the scheduled job deletes the texts of claims that ended over a year ago, and reads no database rows of other claims', async () => {
  const year = 365 * 24 * HOUR_MS;
  for (const [id, age] of Object.entries({ 'over-long-ago': year + 1, 'over-since': year })) {
    const [finder_updated_at, claimant_updated_at] = [NOW - age, NOW - age];
    await insert('claims', { id, post_id: id, created_at: 0, ...CLAIM, finder_updated_at, claimant_updated_at });
    for (const step of ['claim', 'decline'])
      await insert('claim_steps', { id: `${step} ${id}`, claim_id: id, step, '"by"': 'claimant', finder_at: 1 });
  }
  await env.DB.exec(
    `with recursive series (n) as (select 1 union all select n + 1 from series limit 1500)
     insert into claim_steps (id, claim_id, step, "by", finder_at) select n, 'still-said', 'ask', 'finder', 1 from series`.replaceAll(
      '\n',
      ' ',
    ),
  );
  const tally = { trips: 0, rowsRead: 0, isOver: false };
  const db = openDb({ DB: counting(env.DB, tally) });
  await batch(db, planDeletions(db, NOW).claims);
  expect(tally.rowsRead).toBeLessThan(100);
  const { results } = await env.DB.prepare("select id from claim_steps where claim_id like 'over-%' order by id").all();
  expect(results.map(({ id }) => id)).toEqual(['claim over-since', 'decline over-since']);
});

test('the scheduled job keeps the texts of a claim that is open or was changed less than a year ago', async () => {
  for (const [id, row] of Object.entries({
    'still-open': { ...CLAIM, state: 'accepted' },
    'changed-since': { ...CLAIM, claimant_updated_at: NOW },
    'changed-for-its-finder': { ...CLAIM, finder_updated_at: NOW },
  })) {
    await insert('claims', { id, post_id: id, created_at: 0, ...row });
    await insert('claim_steps', { id, claim_id: id, step: 'claim', '"by"': 'claimant', finder_at: 1 });
  }
  await clearExpired(openDb(env), NOW);
  for (const table of ['claims', 'claim_steps']) {
    const { results } = await env.DB.prepare(
      `select id from ${table} where id in ('still-open', 'changed-since', 'changed-for-its-finder')`,
    ).all();
    expect(results).toHaveLength(3);
  }
});

/** Tables from which `clearExpired` deletes nothing, each with what deletes or limits its rows instead. */
const ENDED_OTHERWISE: Record<string, string> = {
  users: 'closing the account',
  phone_numbers: 'closing the account',
  passkeys: 'closing the account',
  notice_settings: 'closing the account',
  whatsapp_words: 'closing the account',
  blocks: 'lifting the block',
  communities: 'closing the community',
  memberships: 'leaving',
  push_subscriptions: 'signing out',
  search_meanings: 'triggers on posts',
  search_terms: 'triggers on search_meanings',
  value_shares: 'the next count replaces them',
  erasures: 'the erasure itself',
  photo_leftovers: 'deleting the objects',
  export_pieces: 'the complete export',
  erased_people: 'the next export',
  whatsapp_pauses: 'one row a channel',
  heartbeats: 'one row',
  switched_off: 'one row a switch',
  token_checks: 'always empty',
  standing_checks: 'always empty',
};

/** Returns the delete statements of `clearExpired`, a step of the scheduled job, each with its table. */
async function deletionsOfSweep(): Promise<{ text: string; table: string }[]> {
  const texts: string[] = [];
  await clearExpired(openDb({ DB: recording(texts) }), Date.now());
  const deletions = texts.filter((text) => /^\s*delete/i.test(text));
  return deletions.map((text) => ({ text, table: /from "?(\w+)/.exec(text)?.[1] ?? '' }));
}

test('the scheduled job deletes rows from every database table that this test does not list as an exception', async () => {
  const tables = Object.values(schema).flatMap((one) => (one instanceof SQLiteTable ? [getTableConfig(one).name] : []));
  const swept = new Set((await deletionsOfSweep()).map(({ table }) => table));
  expect([...swept, ...Object.keys(ENDED_OTHERWISE)].sort()).toEqual(tables.sort());
});

test('each deletion of the scheduled job has a maximum number of rows', async () => {
  expect((await deletionsOfSweep()).filter(({ text }) => !/\blimit\b/.test(text))).toEqual([]);
});
