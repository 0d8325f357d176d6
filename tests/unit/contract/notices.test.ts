import { expect, test } from 'vitest';
import { clientErrorSchema } from '#contract/client-errors.ts';
import { clientMessageSchema } from '#contract/live-messages.ts';
import { DEFAULT_NOTICE_SETTINGS, noticeSettingsSchema } from '#contract/notice-settings.ts';
import { readNoticesSchema } from '#contract/notices.ts';
import { newPasskeySchema, stepUpSchema } from '#contract/passkeys.ts';
import { endedPushSubscriptionSchema, pushSubscriptionSchema } from '#contract/push.ts';
import { incomingMessageInputSchema, localWhatsappMessageQuerySchema } from '#contract/whatsapp.ts';
import { expectLongest, problemsOf } from './expect-problems.ts';

const KEYS = { p256dh: 'a', auth: 'b' };

test('who has never changed them is told by push and by e-mail, but not at night', () => {
  expect(noticeSettingsSchema.parse(DEFAULT_NOTICE_SETTINGS)).toEqual({
    push: true,
    whatsapp: false,
    email: true,
    quiet_from: '21:00',
    quiet_to: '06:00',
  });
});

test.each([
  ['00:00', '23:59', []],
  [null, null, []],
  ['21:00', null, ['quiet_to: quiet_hours_halved']],
  [null, '06:00', ['quiet_to: quiet_hours_halved']],
  ['21:00', '21:00', ['quiet_to: quiet_hours_empty']],
  ['24:00', '6:00', ['quiet_from: clock_invalid', 'quiet_to: clock_invalid']],
  [21, '06:60', ['quiet_from: clock_invalid', 'quiet_to: clock_invalid']],
])('quiet hours from %j to %j: %j', (quiet_from, quiet_to, problems) =>
  expect(problemsOf(noticeSettingsSchema, { ...DEFAULT_NOTICE_SETTINGS, quiet_from, quiet_to })).toEqual(problems),
);

test('every channel of the settings is on or off', () => {
  const settings = { push: 1, whatsapp: 1, email: 1, quiet_from: null, quiet_to: null };
  expect(problemsOf(noticeSettingsSchema, settings)).toEqual([
    'push: yes_or_no',
    'whatsapp: yes_or_no',
    'email: yes_or_no',
  ]);
});

test('notices are read by their ids, by the newest of them, or not at all', () => {
  expect(readNoticesSchema.parse({})).toEqual({ ids: [], up_to: null });
  expect(problemsOf(readNoticesSchema, { ids: 'x', up_to: 5 })).toEqual(['ids: text_invalid', 'up_to: text_invalid']);
  expect(problemsOf(readNoticesSchema, { ids: [5] })).toEqual(['ids.0: text_invalid']);
  expect(problemsOf(readNoticesSchema, { ids: Array(100).fill('x') })).toEqual([]);
  expect(problemsOf(readNoticesSchema, { ids: Array(101).fill('x') })).toHaveLength(1);
  expectLongest(readNoticesSchema, 64, { around: (id) => ({ ids: [id] }), problem: 'ids.0: text_too_long' });
  expectLongest(readNoticesSchema, 64, { around: (up_to) => ({ up_to }), problem: 'up_to: text_too_long' });
});

test('a page may acknowledge a notice, and say nothing else', () => {
  const isTaken = (message: object) => clientMessageSchema.safeParse(message).success;
  expect(isTaken({ type: 'ack', id: 'a'.repeat(64) })).toBe(true);
  expect(isTaken({ type: 'ack', id: 'a'.repeat(65) })).toBe(false);
  expect(isTaken({ type: 'read', id: 'a' })).toBe(false);
});

test('a subscription has an address and two keys, none of them endless', () => {
  expect(problemsOf(pushSubscriptionSchema, {})).toEqual(['endpoint: endpoint_invalid', 'keys: push_key_invalid']);
  expect(problemsOf(pushSubscriptionSchema, { endpoint: 'x', keys: {} })).toEqual([
    'keys.p256dh: push_key_invalid',
    'keys.auth: push_key_invalid',
  ]);
  const around = (endpoint: string) => ({ endpoint, keys: KEYS });
  for (const schema of [pushSubscriptionSchema, endedPushSubscriptionSchema])
    expectLongest(schema, 2_000, { around, problem: 'endpoint: endpoint_invalid' });
  for (const key of ['p256dh', 'auth'])
    expectLongest(pushSubscriptionSchema, 200, {
      around: (text) => ({ endpoint: 'x', keys: { ...KEYS, [key]: text } }),
      problem: `keys.${key}: push_key_invalid`,
    });
});

test('a passkey is reached in the ways that we know; others are passed over', () => {
  const passkey = (transports: unknown) => ({
    id: 'a_-1',
    rawId: 'a',
    type: 'public-key',
    response: { clientDataJSON: 'a', attestationObject: 'a', ...(transports !== undefined && { transports }) },
  });
  const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
  expect(newPasskeySchema.parse(passkey(undefined)).response.transports).toEqual([]);
  expect(newPasskeySchema.parse(passkey([...known, 'pigeon'])).response.transports).toEqual(known);
  const isTaken = (transports: unknown) => newPasskeySchema.safeParse(passkey(transports)).success;
  expect([isTaken(Array(16).fill('usb')), isTaken(Array(17).fill('usb'))]).toEqual([true, false]);
  expect([isTaken(['a'.repeat(32)]), isTaken(['a'.repeat(33)])]).toEqual([true, false]);
});

test('what a passkey says is in base64url, and not endless', () => {
  const answer = { id: 'a', rawId: 'a', type: 'public-key' };
  const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' };
  const isTaken = (signature: string) =>
    stepUpSchema.safeParse({ ...answer, response: { ...response, signature } }).success;
  expect([isTaken('a'.repeat(8192)), isTaken('a'.repeat(8193))]).toEqual([true, false]);
  expect([isTaken('a+b'), isTaken('')]).toEqual([false, false]);
});

test('an error of a browser has a class name and one to ten frames of ours', () => {
  const isTaken = (error: object) => clientErrorSchema.safeParse(error).success;
  const frame = '/assets/app-1.js:10:20';
  expect(isTaken({ name: 'TypeError', frames: [frame] })).toBe(true);
  expect(isTaken({ name: 'TypeError', frames: Array(10).fill(frame) })).toBe(true);
  expect(isTaken({ name: 'TypeError', frames: Array(11).fill(frame) })).toBe(false);
  expect(isTaken({ name: 'TypeError', frames: [] })).toBe(false);
  expect(isTaken({ name: 'Type error', frames: [frame] })).toBe(false);
  expect(isTaken({ name: 'TypeError', frames: [`x${frame}`] })).toBe(false);
  expect(isTaken({ name: 'TypeError', frames: [`${frame}x`] })).toBe(false);
});

test('a simulated message has a text, and a sender unless they hide', () => {
  expect(incomingMessageInputSchema.parse({ text: 'STOP' })).toEqual({ text: 'STOP' });
  expect(incomingMessageInputSchema.parse({ from: '0712345678', text: '', forwarded: true })).toEqual({
    from: '+255712345678',
    text: '',
    forwarded: true,
  });
  expect(problemsOf(incomingMessageInputSchema, { from: null })).toEqual(['text: text_invalid']);
  expect(localWhatsappMessageQuerySchema.parse({ to: '0712345678' })).toEqual({ to: '+255712345678' });
});
