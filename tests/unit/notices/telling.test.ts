import { expect, test } from 'vitest';
import { CHANNELS, type Channel, type OutgoingJob } from '#contract/jobs.ts';
import type { ReportReason } from '#contract/kinds.ts';
import { LIVE_MESSAGE_TYPES, type LiveMessage } from '#contract/live-messages.ts';
import { channelsFor, decide, endOfQuiet, type Reach } from '#durable/channel-rules.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { chiefReason } from '#worker/moderation/list-cases.ts';
import { toStandingMessage } from '#worker/notices/keep-notice.ts';
import { presentNotice } from '#worker/notices/list-notices.ts';
import { queueJobs } from '#worker/notices/reach.ts';
import { toLiveMessage } from '#worker/notices/read-notices.ts';

const NIGHT = { from: 21 * 60, to: 6 * 60 };
const RULES = { afterMs: { push: 15_000, whatsapp: 600_000, email: 1_800_000 }, messagesADay: 3 };

/** A time on 22 November 2026 or the next day, by the clock in Tanzania. */
function at(clock: string, day = 22): number {
  return Date.parse(`2026-11-${day}T${clock}+03:00`);
}

const NOON = at('12:00');

function someReach(overrides: Partial<Reach> = {}): Reach {
  return {
    language: 'sw',
    subscriptionIds: ['phone'],
    has: { whatsapp: true, email: true },
    wants: { push: true, whatsapp: true, email: true },
    quietHours: NIGHT,
    unread: new Set(['n']),
    hasLostPhone: false,
    ...overrides,
  };
}

const LOST_PHONE = { hasLostPhone: true };
const NOTHING_WANTED = { wants: { push: false, whatsapp: false, email: false } };
const NOTHING_THERE = { subscriptionIds: [], has: { whatsapp: false, email: false } };

function stepsOf(reach: Reach, { now = NOON, sentToday = 0, dueAt = 0 } = {}) {
  const turnOf = (channel: Channel) => ({ messageId: 'n', channel, dueAt, isHeld: false });
  return CHANNELS.map((channel) => decide(turnOf(channel), reach, RULES, sentToday, now).step);
}

test.each<[what: string, Partial<Reach>, Parameters<typeof stepsOf>[1], steps: string[]]>([
  ['nobody has seen the notice', {}, {}, ['send', 'send', 'send']],
  ['the time to send has not come', {}, { dueAt: NOON + 1 }, ['wait', 'wait', 'wait']],
  ['the time to send has just come', {}, { dueAt: NOON }, ['send', 'send', 'send']],
  ['the notice was read', { unread: new Set() }, {}, ['drop', 'drop', 'drop']],
  ['the person has none of these channels', NOTHING_THERE, {}, ['drop', 'drop', 'drop']],
  ['the person wants none of these channels', NOTHING_WANTED, {}, ['drop', 'drop', 'drop']],
  ['two messages were sent today', {}, { sentToday: 2 }, ['send', 'send', 'send']],
  ['three messages were sent today', {}, { sentToday: 3 }, ['send', 'drop', 'drop']],
  ['it is night', {}, { now: at('23:00') }, ['send_silently', 'hold', 'hold']],
  [
    'it is night, and three messages were sent today',
    {},
    { now: at('23:00'), sentToday: 3 },
    ['send_silently', 'hold', 'hold'],
  ],
  ['it is night, and the notice was read', { unread: new Set() }, { now: at('23:00') }, ['drop', 'drop', 'drop']],
  [
    'it is night, and the person has no quiet hours',
    { quietHours: null },
    { now: at('23:00') },
    ['send', 'send', 'send'],
  ],
  ['the person’s phone is lost', LOST_PHONE, {}, ['send', 'drop', 'send']],
  [
    'the person’s phone is lost, and the time to send has not come',
    LOST_PHONE,
    { dueAt: NOON + 1 },
    ['wait', 'wait', 'send'],
  ],
  ['the person’s phone is lost, and it is night', LOST_PHONE, { now: at('23:00') }, ['send_silently', 'drop', 'send']],
  [
    'the person’s phone is lost, and three messages were sent today',
    LOST_PHONE,
    { sentToday: 3 },
    ['send', 'drop', 'drop'],
  ],
  [
    'the person’s phone is lost, and they want no e-mails',
    { ...LOST_PHONE, ...NOTHING_WANTED },
    {},
    ['drop', 'drop', 'drop'],
  ],
])(
  'the decision to send, delay or drop a notice is right for push, WhatsApp and e-mail if %s',
  (_what, reach, circumstances, steps) => {
    expect(stepsOf(someReach(reach), circumstances)).toEqual(steps);
  },
);

test.each<[now: number, end: number | null]>([
  [at('20:59:59'), null],
  [at('21:00'), at('06:00', 23)],
  [at('23:59:59'), at('06:00', 23)],
  [at('00:00'), at('06:00')],
  [at('05:59:59'), at('06:00')],
  [at('06:00'), null],
])(
  'quiet hours from 21:00 to 06:00 delay a notice from the timestamp %i to the timestamp %s (null: no delay)',
  (now, end) => {
    expect(endOfQuiet(NIGHT, now)).toBe(end);
  },
);

test('quiet hours that do not pass midnight delay a notice until their end, also if they begin or end at midnight', () => {
  expect(endOfQuiet({ from: 13 * 60, to: 14 * 60 }, at('13:30:10'))).toBe(at('14:00'));
  expect(endOfQuiet({ from: 13 * 60, to: 14 * 60 }, at('14:00'))).toBeNull();
  expect(endOfQuiet({ from: 22 * 60, to: 0 }, at('23:30'))).toBe(at('00:00', 23));
  expect(endOfQuiet({ from: 0, to: 5 * 60 }, at('02:00'))).toBe(at('05:00'));
});

test('a match notice is sent by push, WhatsApp and e-mail, a claim notice by push and e-mail, any other notice by push', () => {
  const others = LIVE_MESSAGE_TYPES.filter((type) => type !== 'matching_post' && !/^claim_|^handed_over$/.test(type));
  expect(channelsFor('matching_post')).toEqual(['push', 'whatsapp', 'email']);
  const claims = LIVE_MESSAGE_TYPES.filter((type) => /^claim_|^handed_over$/.test(type));
  expect(claims).toHaveLength(9);
  for (const type of claims) expect([type, channelsFor(type)]).toEqual([type, ['push', 'email']]);
  for (const type of others) expect([type, channelsFor(type)]).toEqual([type, ['push']]);
});

test('the waiting times before a notice is sent can be changed only if WHATSAPP_TRANSPORT is “local”', () => {
  const secret = 'a-secret-that-only-the-tests-know-0123456789';
  const keys = { JWT_SECRET: secret, CODE_KEY: secret, LIMIT_KEY: secret, PHOTO_KEY: secret, IDENTIFIER_KEY: secret };
  const own = { NOTICE_PUSH_SECONDS: '1', NOTICE_WHATSAPP_SECONDS: '2', NOTICE_EMAIL_SECONDS: '0', RATE_LIMITS: 'off' };
  const meta = { WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'x' };
  expect(readConfig({ ...keys, ...meta, ...own }).channels).toEqual(RULES);
  expect(readConfig({ ...keys, WHATSAPP_TRANSPORT: 'local' }).channels).toEqual(RULES);
  const { afterMs, messagesADay } = readConfig({ ...keys, ...own, WHATSAPP_TRANSPORT: 'local' }).channels;
  expect(afterMs).toEqual({ push: 1_000, whatsapp: 2_000, email: 0 });
  expect(messagesADay).toBeGreaterThan(1_000);
});

/** Creates queues that record the batches which `queueJobs` puts into them. */
function keepBatches() {
  const batches: Record<string, unknown[][]> = { push: [], whatsapp: [], email: [] };
  const queueOf = (channel: string) => ({
    sendBatch: async (messages: { body: unknown }[]) => void batches[channel]?.push(messages.map(({ body }) => body)),
  });
  const env = {
    PUSH_QUEUE: queueOf('push'),
    NOTICE_WHATSAPP_QUEUE: queueOf('whatsapp'),
    EMAIL_QUEUE: queueOf('email'),
  } as unknown as Env;
  return { batches, env };
}

const jobOf = (channel: string, index: number) =>
  ({ channel, job: { messageId: `${channel}-${index}` } }) as OutgoingJob;

test('each delivery of a notice goes to the queue of its channel: push, WhatsApp or e-mail', async () => {
  const { batches, env } = keepBatches();
  const jobs = [jobOf('push', 1), jobOf('email', 2), jobOf('whatsapp', 3), jobOf('push', 4)];
  await queueJobs(env, jobs);
  expect(batches).toEqual({
    push: [[jobs[0]?.job, jobs[3]?.job]],
    whatsapp: [[jobs[2]?.job]],
    email: [[jobs[1]?.job]],
  });
});

test('deliveries of notices are put into a queue in groups of at most a hundred, and no delivery is put there twice', async () => {
  const { batches, env } = keepBatches();
  const jobs = Array.from({ length: 201 }, (_, index) => jobOf('push', index));
  await queueJobs(env, jobs);
  expect(batches.push?.map((batch) => batch.length)).toEqual([100, 100, 1]);
  expect(batches.push?.flat()).toEqual(jobs.map(({ job }) => job));
});

const TOLD_AT = Date.parse('2026-11-22T20:59:59.999Z');
const POSTED_AT = Date.parse('2026-11-20T08:00:00Z');
type Row = Parameters<typeof presentNotice>[0];

function someRow(overrides: Partial<Row> = {}): Row {
  return {
    id: 'n',
    type: 'matching_post',
    body: null,
    pair_id: 'pair',
    confidence: 'possible',
    post_id: 'theirs',
    your_post_id: 'mine',
    title: 'Simu 0612 345 678',
    location: 'Kariakoo',
    kept_at: 'Polisi Kariakoo',
    owner_first_name: 'Asha',
    owner_last_name: 'Mushi',
    kind: 'electronics',
    contact: 'number',
    phone_number: '0712345678',
    post_created_at: POSTED_AT,
    score: 0.75,
    reasons: JSON.stringify([{ kind: 'item', key: 'thing phone' }]),
    shares_identifier: 0,
    created_at: TOLD_AT,
    place_in_day: 1,
    claim_id: null,
    claimed_post_id: null,
    claimed_title: null,
    claimed_kind: null,
    is_to_finder: null,
    read_at: null,
    is_open: 1,
    ...overrides,
  };
}

const MAX = 50;

const contactOf = (overrides: Partial<Row>, maxNumbers: number | null = MAX) => {
  const message = toLiveMessage(someRow(overrides), maxNumbers);
  if (message.type !== 'matching_post') throw new Error('no match');
  const { phone_number, is_contact_limited, contact_opens_at } = message;
  return [phone_number, is_contact_limited, contact_opens_at];
};

test('the message of a match notice contains every field that the app shows', () => {
  expect(toLiveMessage(someRow(), MAX)).toEqual({
    type: 'matching_post',
    id: 'n',
    pair_id: 'pair',
    confidence: 'possible',
    post_id: 'theirs',
    your_post_id: 'mine',
    title: 'Simu 0612 345 678',
    location: 'Kariakoo',
    kept_at: 'Polisi Kariakoo',
    owner_first_name: 'Asha',
    owner_last_name: 'Mushi',
    phone_number: '0712345678',
    is_contact_limited: false,
    contact_opens_at: null,
    created_at: '2026-11-20T08:00:00.000Z',
    score: 0.75,
    reasons: [{ kind: 'item', en: 'phone', sw: 'simu' }],
  });
});

test('a match notice about a document does not contain the whole number of the document', () => {
  const number = 'AB654321';
  const message = toLiveMessage(
    someRow({
      kind: 'document',
      title: number,
      location: number,
      kept_at: number,
      owner_first_name: number,
      owner_last_name: number,
      reasons: JSON.stringify([{ kind: 'number', text: number }]),
    }),
    MAX,
  );
  const hidden = 'AB•••4321';
  expect(message).toMatchObject({
    title: hidden,
    location: hidden,
    kept_at: hidden,
    owner_first_name: hidden,
    owner_last_name: hidden,
    reasons: [{ kind: 'number', en: hidden, sw: hidden }],
  });
});

test('a match notice does not say where the found thing is kept if the post does not', () => {
  expect(toLiveMessage(someRow({ kept_at: null }), MAX)).toMatchObject({ kept_at: null });
});

test.each<[what: string, row: Partial<Row>, maxNumbers: number | null, contact: unknown[]]>([
  [
    'the fiftieth match notice of the day shows its phone number',
    { place_in_day: 50 },
    MAX,
    ['0712345678', false, null],
  ],
  [
    'the fifty-first match notice of the day hides its phone number until the next day',
    { place_in_day: 51 },
    MAX,
    [null, true, '2026-11-22T21:00:00.000Z'],
  ],
  [
    'without the limit, every match notice shows its phone number',
    { place_in_day: 51 },
    null,
    ['0712345678', false, null],
  ],
  [
    'a match notice about a post without a phone number is not marked as limited',
    { place_in_day: 0 },
    MAX,
    [null, false, null],
  ],
  [
    'a match notice about a post that accepts only claims hides the phone number',
    { contact: 'claim', place_in_day: 51 },
    MAX,
    [null, false, null],
  ],
  [
    'a match notice about two posts that share an identifier hides the phone number',
    { shares_identifier: 1, place_in_day: 51 },
    MAX,
    [null, false, null],
  ],
])('%s (match notices may show a person fifty phone numbers a day)', (_what, row, maxNumbers, contact) => {
  expect(contactOf(row, maxNumbers)).toEqual(contact);
});

test.each([
  'claim_received',
  'claim_asked',
  'claim_replied',
  'claim_accepted',
  'claim_declined',
  'claim_withdrawn',
  'claim_closed',
  'handed_over',
] as const)(
  'a notice of type %s has the ids of the claim and its post, and only the finder sees a full document number in the post’s title',
  (type) => {
    const claim = { claim_id: 'c', claimed_post_id: 'p', claimed_title: 'AB654321', claimed_kind: 'document' } as const;
    const news = { type, id: 'n', claim_id: 'c', post_id: 'p', created_at: new Date(TOLD_AT).toISOString() };
    const tell = (is_to_finder: 0 | 1) => toLiveMessage(someRow({ ...claim, type, is_to_finder }), MAX);
    expect(tell(1)).toEqual({ ...news, title: 'AB654321' });
    expect(tell(0)).toEqual({ ...news, title: 'AB•••4321' });
  },
);

test('a claim notice has an empty post title and post id if the author of the post has deleted their account', () => {
  const row = { type: 'claim_closed', claim_id: 'c', claimed_post_id: null, claimed_title: null } as const;
  expect(toLiveMessage(someRow(row), MAX)).toMatchObject({ title: '', post_id: '' });
});

test('toLiveMessage returns the stored message unchanged if the notice is about neither a post nor a claim', () => {
  const stored: LiveMessage = { type: 'password_changed', id: 'n', created_at: '2026-11-22T05:00:00.000Z' };
  expect(toLiveMessage(someRow({ type: 'password_changed', body: JSON.stringify(stored) }), MAX)).toEqual(stored);
});

test('the list of notices says when each notice was created and read, and whether the notice is still true', () => {
  const message = toLiveMessage(someRow(), MAX);
  const noticed_at = '2026-11-22T20:59:59.999Z';
  expect(presentNotice(someRow(), MAX)).toEqual({ message, noticed_at, read_at: null, is_open: true });
  expect(presentNotice(someRow({ read_at: TOLD_AT + 1, is_open: 0 }), MAX)).toEqual({
    message,
    noticed_at,
    read_at: '2026-11-22T21:00:00.000Z',
    is_open: false,
  });
});

test.each<[chief: ReportReason, given: [ReportReason, number][], own: ReportReason]>([
  ['scam', [], 'scam'],
  ['offensive', [['offensive', 2]], 'scam'],
  ['scam', [['offensive', 1]], 'scam'],
  [
    'scam',
    [
      ['offensive', 2],
      ['scam', 1],
    ],
    'scam',
  ],
  [
    'private_data',
    [
      ['offensive', 2],
      ['private_data', 2],
    ],
    'other',
  ],
])(
  '%s is the main reason of a case with the earlier reports %j (reason, number of reports) and a new report that says %s',
  (chief, given, own) => {
    expect(
      chiefReason(
        given.map(([reason, count]) => ({ reason, count })),
        own,
      ),
    ).toBe(chief);
  },
);

test('the notice that a post is hidden says by whom and why; the notice that it is restored says neither', () => {
  const post = { id: 'chapisho', title: 'Simu' };
  const at = { id: 'ujumbe', now: 0 };
  const same = { id: 'ujumbe', post_id: 'chapisho', title: 'Simu', created_at: '1970-01-01T00:00:00.000Z' };
  expect(toStandingMessage(post, { by: 'admin', reason: null }, at)).toEqual({
    ...same,
    ...{ type: 'post_hidden', hidden_by: 'admin', reason: null },
  });
  expect(toStandingMessage(post, null, at)).toEqual({ ...same, type: 'post_restored', hidden_by: null, reason: null });
});
