import { expect, test } from 'vitest';
import { adminSearchQuerySchema, clientErrorSchema, feedbackInputSchema, switchesSchema } from '#contract/admin.ts';
import {
  DEFAULT_NOTICE_SETTINGS,
  endedPushSubscriptionSchema,
  incomingMessageInputSchema,
  localWhatsappMessageQuerySchema,
  noticeSettingsSchema,
  pushSubscriptionSchema,
} from '#contract/channels.ts';
import {
  adminCommunityQuerySchema,
  appointmentSchema,
  approvalInputSchema,
  approvedListQuerySchema,
  communityChangeSchema,
  communityInputSchema,
  joinInputSchema,
  joinRequestInputSchema,
  memberListQuerySchema,
  roleInputSchema,
} from '#contract/communities.ts';
import { pageQuerySchema } from '#contract/fields.ts';
import { clientMessageSchema } from '#contract/live-messages.ts';
import {
  moderationReasonSchema,
  reportedPostQuerySchema,
  reportInputSchema,
  restorationSchema,
} from '#contract/moderation.ts';
import { readNoticesSchema } from '#contract/notices.ts';
import { newPasskeySchema, stepUpSchema } from '#contract/passkeys.ts';
import { expectLongest, problemsOf } from './expect-problems.ts';

test('a community’s name is required, its description optional, and both are trimmed', () => {
  expect(communityInputSchema.parse({ name: ' Ilala ', description: ' Soko\nla Ilala ' })).toEqual({
    name: 'Ilala',
    description: 'Soko\nla Ilala',
  });
  expect(communityInputSchema.parse({ name: 'Ilala' })).toEqual({ name: 'Ilala', description: '' });
  for (const name of [undefined, ' '])
    expect(problemsOf(communityInputSchema, { name })).toEqual(['name: community_name_required']);
  expect(problemsOf(communityInputSchema, { name: 'Ila\nla' })).toEqual(['name: text_control_characters']);
});

test('a request to change a community may omit fields, and gets an error for each invalid field', () => {
  expect(communityChangeSchema.parse({})).toEqual({});
  expect(problemsOf(communityChangeSchema, { name: ' ', description: 5, is_listed: 'yes' })).toEqual([
    'name: community_name_required',
    'description: text_invalid',
    'is_listed: yes_or_no',
  ]);
});

test('texts about a community, such as its name or a join message, have a maximum length', () => {
  const about = (name: string, description: string) => ({ name, description });
  expectLongest(communityInputSchema, 100, { around: (text) => about(text, ''), problem: 'name: text_too_long' });
  expectLongest(communityInputSchema, 2_000, {
    around: (text) => about('Ilala', text),
    problem: 'description: text_too_long',
  });
  expectLongest(joinInputSchema, 300, {
    around: (access_code) => ({ access_code }),
    problem: 'access_code: text_too_long',
  });
  expectLongest(joinRequestInputSchema, 500, { around: (message) => ({ message }), problem: 'message: text_too_long' });
  expectLongest(appointmentSchema, 64, { around: (user_id) => ({ user_id }), problem: 'user_id: text_too_long' });
});

test('a request to join or approve a community, set a role or appoint an admin gets an error for each invalid field', () => {
  expect(problemsOf(joinInputSchema, {})).toEqual(['access_code: access_code_required']);
  expect(problemsOf(roleInputSchema, { role: 'owner' })).toEqual(['role: role_invalid']);
  for (const role of ['admin', 'member']) expect(problemsOf(roleInputSchema, { role })).toEqual([]);
  expect(problemsOf(appointmentSchema, {})).toEqual(['user_id: member_required']);
  expect(problemsOf(approvalInputSchema, { name: 5 })).toEqual(['name: text_invalid']);
  expect(problemsOf(approvalInputSchema, {})).toEqual([]);
});

test('the message of a request to join is optional, and may have several lines', () => {
  for (const message of [undefined, null, '', ' \n'])
    expect(joinRequestInputSchema.parse({ message })).toEqual({ message: null });
  expect(joinRequestInputSchema.parse({ message: ' Habari\nza leo' })).toEqual({ message: ' Habari\nza leo' });
  expect(problemsOf(joinRequestInputSchema, { message: 5 })).toEqual(['message: text_invalid']);
});

test('a list request without parameters defaults to 50 entries, no search, and the status pending (communities) or open (cases)', () => {
  expect(approvedListQuerySchema.parse({})).toEqual({ limit: 50, search: '' });
  expect(memberListQuerySchema.parse({})).toEqual({ limit: 50 });
  expect(adminCommunityQuerySchema.parse({})).toEqual({ status: 'pending', limit: 50, search: '' });
  expect(reportedPostQuerySchema.parse({})).toEqual({ status: 'open', limit: 50 });
  expect(problemsOf(adminCommunityQuerySchema, { status: 'open' })).toEqual(['status: status_invalid']);
  expect(problemsOf(reportedPostQuerySchema, { status: 'pending' })).toEqual(['status: report_status_invalid']);
  expect(adminCommunityQuerySchema.parse({ status: 'approved' })).toMatchObject({ status: 'approved' });
  expect(reportedPostQuerySchema.parse({ status: 'decided' })).toMatchObject({ status: 'decided' });
});

test.each([
  ['1', []],
  ['100', []],
  ['0', ['limit: limit_invalid']],
  ['101', ['limit: limit_invalid']],
  ['ten', ['limit: limit_invalid']],
])('a list request with the page size %s has the problems: %j', (limit, problems) =>
  expect(problemsOf(pageQuerySchema, { limit })).toEqual(problems),
);

test.each([
  [pageQuerySchema, ['1', '9'.repeat(16)], ['0', '01', '9'.repeat(17), '1.a']],
  [
    memberListQuerySchema,
    ['1.a', `${'9'.repeat(15)}.${'a'.repeat(100)}`],
    ['1', '1.', `1.${'a'.repeat(101)}`, '1.a.b'],
  ],
])('a pagination cursor is refused if it does not have the cursor format of the list', (schema, good, bad) => {
  for (const cursor of good) expect(problemsOf(schema, { cursor })).toEqual([]);
  for (const cursor of bad) expect(problemsOf(schema, { cursor }), cursor).toEqual(['cursor: cursor_invalid']);
});

test('a report on a post or claim needs one of the listed reasons, and may have a text', () => {
  for (const reason of ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'])
    expect(reportInputSchema.parse({ reason, text: ' ' })).toEqual({ reason, text: null });
  expect(problemsOf(reportInputSchema, {})).toEqual(['reason: report_reason_required']);
  expectLongest(reportInputSchema, 500, {
    around: (text) => ({ reason: 'scam', text }),
    problem: 'text: text_too_long',
  });
});

test('a moderator must give a reason for hiding, and may give one for restoring', () => {
  for (const reason of [undefined, 5, ' '])
    expect(problemsOf(moderationReasonSchema, { reason })).toEqual(['reason: reason_required']);
  for (const reason of [undefined, null, ' ']) expect(restorationSchema.parse({ reason })).toEqual({ reason: null });
  for (const schema of [moderationReasonSchema, restorationSchema]) {
    expect(schema.parse({ reason: 'a\nb' })).toEqual({ reason: 'a\nb' });
    expectLongest(schema, 500, { around: (reason) => ({ reason }), problem: 'reason: text_too_long' });
  }
});

test('feedback contains an e-mail address and a message of up to 5,000 characters, which may have several lines', () => {
  expect(problemsOf(feedbackInputSchema, {})).toEqual(['email: email_required', 'message: message_required']);
  const around = (message: string) => ({ email: 'asha@example.com', message });
  expect(problemsOf(feedbackInputSchema, around('a\nb'))).toEqual([]);
  expectLongest(feedbackInputSchema, 5_000, { around, problem: 'message: text_too_long' });
});

test('an admin’s search text is trimmed, and empty by default', () => {
  expect(adminSearchQuerySchema.parse({})).toEqual({ q: '' });
  expect(adminSearchQuerySchema.parse({ q: ' asha ' })).toEqual({ q: 'asha' });
  expectLongest(adminSearchQuerySchema, 500, { around: (q) => ({ q }), problem: 'q: text_too_long' });
});

test('an admin who changes the feature switches must send all four switches, each as on or off', () => {
  expect(problemsOf(switchesSchema, {})).toEqual([
    'registration: yes_or_no',
    'photos: yes_or_no',
    'claims: yes_or_no',
    'whatsapp_notices: yes_or_no',
  ]);
});

const KEYS = { p256dh: 'a', auth: 'b' };

test('by default a person gets notices by push and e-mail, and has quiet hours at night', () => {
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
])('quiet hours from %j to %j have the problems: %j', (quiet_from, quiet_to, problems) =>
  expect(problemsOf(noticeSettingsSchema, { ...DEFAULT_NOTICE_SETTINGS, quiet_from, quiet_to })).toEqual(problems),
);

test('the notice settings for push, WhatsApp and e-mail must each be true or false, so the number 1 is refused', () => {
  const settings = { push: 1, whatsapp: 1, email: 1, quiet_from: null, quiet_to: null };
  expect(problemsOf(noticeSettingsSchema, settings)).toEqual([
    'push: yes_or_no',
    'whatsapp: yes_or_no',
    'email: yes_or_no',
  ]);
});

test('a request to mark notices as read may list at most 100 notices', () => {
  expect(readNoticesSchema.parse({})).toEqual({ ids: [], up_to: null });
  expect(problemsOf(readNoticesSchema, { ids: 'x', up_to: 5 })).toEqual(['ids: text_invalid', 'up_to: text_invalid']);
  expect(problemsOf(readNoticesSchema, { ids: [5] })).toEqual(['ids.0: text_invalid']);
  expect(problemsOf(readNoticesSchema, { ids: Array(100).fill('x') })).toEqual([]);
  expect(problemsOf(readNoticesSchema, { ids: Array(101).fill('x') })).toHaveLength(1);
  expectLongest(readNoticesSchema, 64, { around: (id) => ({ ids: [id] }), problem: 'ids.0: text_too_long' });
  expectLongest(readNoticesSchema, 64, { around: (up_to) => ({ up_to }), problem: 'up_to: text_too_long' });
});

test('the only JSON message that the web app may send over its WebSocket is the acknowledgement of a notice', () => {
  const isTaken = (message: object) => clientMessageSchema.safeParse(message).success;
  expect(isTaken({ type: 'ack', id: 'a'.repeat(64) })).toBe(true);
  expect(isTaken({ type: 'ack', id: 'a'.repeat(65) })).toBe(false);
  expect(isTaken({ type: 'read', id: 'a' })).toBe(false);
});

test('a push subscription consists of an endpoint and two keys, each of limited length', () => {
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

test('the registration of a passkey ignores unknown WebAuthn transports', () => {
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

test('the signature of a passkey is base64url of limited length', () => {
  const answer = { id: 'a', rawId: 'a', type: 'public-key' };
  const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' };
  const isTaken = (signature: string) =>
    stepUpSchema.safeParse({ ...answer, response: { ...response, signature } }).success;
  expect([isTaken('a'.repeat(8192)), isTaken('a'.repeat(8193))]).toEqual([true, false]);
  expect([isTaken('a+b'), isTaken('')]).toEqual([false, false]);
});

test('a browser’s error report contains the class of the error and one to ten stack frames in our code', () => {
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

test('a simulated incoming WhatsApp message needs a text, and may omit its sender', () => {
  expect(incomingMessageInputSchema.parse({ text: 'STOP' })).toEqual({ text: 'STOP' });
  expect(incomingMessageInputSchema.parse({ from: '0712345678', text: '', forwarded: true })).toEqual({
    from: '+255712345678',
    text: '',
    forwarded: true,
  });
  expect(problemsOf(incomingMessageInputSchema, { from: null })).toEqual(['text: text_invalid']);
  expect(localWhatsappMessageQuerySchema.parse({ to: '0712345678' })).toEqual({ to: '+255712345678' });
});
