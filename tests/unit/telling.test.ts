import { expect, test } from 'vitest';
import { LIVE_MESSAGE_TYPES } from '#contract/live-messages.ts';
import { CHANNELS, type Channel } from '#contract/notice-jobs.ts';
import { channelsFor, decide, endOfQuiet, type Reach } from '#durable/telling.ts';
import { readConfig } from '#worker/env.ts';

const NIGHT = { from: 21 * 60, to: 6 * 60 };
const RULES = { afterMs: { push: 15_000, whatsapp: 600_000, email: 1_800_000 }, messagesADay: 3 };

/** A moment of 22 November 2026 or the day after, by the clock in Tanzania. */
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
  ['nobody has seen it', {}, {}, ['send', 'send', 'send']],
  ['its turn has not come', {}, { dueAt: NOON + 1 }, ['wait', 'wait', 'wait']],
  ['its turn has just come', {}, { dueAt: NOON }, ['send', 'send', 'send']],
  ['it has ended', { unread: new Set() }, {}, ['drop', 'drop', 'drop']],
  ['the person has none of it', NOTHING_THERE, {}, ['drop', 'drop', 'drop']],
  ['the person wants none of it', NOTHING_WANTED, {}, ['drop', 'drop', 'drop']],
  ['two were sent today', {}, { sentToday: 2 }, ['send', 'send', 'send']],
  ['three were sent today', {}, { sentToday: 3 }, ['send', 'drop', 'drop']],
  ['it is night', {}, { now: at('23:00') }, ['send_silently', 'hold', 'hold']],
  ['it is night, and three were sent today', {}, { now: at('23:00'), sentToday: 3 }, ['send_silently', 'hold', 'hold']],
  ['it is night, and it has ended', { unread: new Set() }, { now: at('23:00') }, ['drop', 'drop', 'drop']],
  ['nobody sleeps', { quietHours: null }, { now: at('23:00') }, ['send', 'send', 'send']],
  ['their phone is lost', LOST_PHONE, {}, ['send', 'drop', 'send']],
  ['their phone is lost, before its turn', LOST_PHONE, { dueAt: NOON + 1 }, ['wait', 'wait', 'send']],
  ['their phone is lost, at night', LOST_PHONE, { now: at('23:00') }, ['send_silently', 'drop', 'send']],
  ['their phone is lost, three were sent', LOST_PHONE, { sentToday: 3 }, ['send', 'drop', 'drop']],
  ['their phone is lost, no e-mail wanted', { ...LOST_PHONE, ...NOTHING_WANTED }, {}, ['drop', 'drop', 'drop']],
])('when %s', (_what, reach, circumstances, steps) => {
  expect(stepsOf(someReach(reach), circumstances)).toEqual(steps);
});

test.each<[now: number, end: number | null]>([
  [at('20:59:59'), null],
  [at('21:00'), at('06:00', 23)],
  [at('23:59:59'), at('06:00', 23)],
  [at('00:00'), at('06:00')],
  [at('05:59:59'), at('06:00')],
  [at('06:00'), null],
])('quiet hours over midnight at %i end at %s', (now, end) => {
  expect(endOfQuiet(NIGHT, now)).toBe(end);
});

test('quiet hours within a day, and to its end', () => {
  expect(endOfQuiet({ from: 13 * 60, to: 14 * 60 }, at('13:30:10'))).toBe(at('14:00'));
  expect(endOfQuiet({ from: 13 * 60, to: 14 * 60 }, at('14:00'))).toBeNull();
  expect(endOfQuiet({ from: 22 * 60, to: 0 }, at('23:30'))).toBe(at('00:00', 23));
  expect(endOfQuiet({ from: 0, to: 5 * 60 }, at('02:00'))).toBe(at('05:00'));
});

test('a match goes by every channel, a claim by push and e-mail, the rest by push', () => {
  const others = LIVE_MESSAGE_TYPES.filter((type) => type !== 'matching_post' && !/^claim_|^handed_over$/.test(type));
  expect(channelsFor('matching_post')).toEqual(['push', 'whatsapp', 'email']);
  const claims = LIVE_MESSAGE_TYPES.filter((type) => /^claim_|^handed_over$/.test(type));
  expect(claims).toHaveLength(9);
  for (const type of claims) expect([type, channelsFor(type)]).toEqual([type, ['push', 'email']]);
  for (const type of others) expect([type, channelsFor(type)]).toEqual([type, ['push']]);
});

test('another time for a turn is honoured under the local transport alone', () => {
  const secret = 'a-secret-that-only-the-tests-know-0123456789';
  const keys = { JWT_SECRET: secret, CODE_KEY: secret, LIMIT_KEY: secret, PHOTO_KEY: secret, IDENTIFIER_KEY: secret };
  const own = { NOTICE_PUSH_SECONDS: '1', NOTICE_WHATSAPP_SECONDS: '2', NOTICE_EMAIL_SECONDS: '0', RATE_LIMITS: 'off' };
  const meta = { WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'x' };
  expect(readConfig({ ...keys, ...meta, ...own }).telling).toEqual(RULES);
  expect(readConfig({ ...keys, WHATSAPP_TRANSPORT: 'local' }).telling).toEqual(RULES);
  const { afterMs, messagesADay } = readConfig({ ...keys, ...own, WHATSAPP_TRANSPORT: 'local' }).telling;
  expect(afterMs).toEqual({ push: 1_000, whatsapp: 2_000, email: 0 });
  expect(messagesADay).toBeGreaterThan(1_000);
});
