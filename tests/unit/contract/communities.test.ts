import { expect, test } from 'vitest';
import { adminSearchQuerySchema } from '#contract/admin.ts';
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
import { feedbackInputSchema } from '#contract/feedback.ts';
import {
  moderationReasonSchema,
  reportedPostQuerySchema,
  reportInputSchema,
  restorationSchema,
} from '#contract/moderation.ts';
import { switchesSchema } from '#contract/operating.ts';
import { pageQuerySchema } from '#contract/paging.ts';
import { expectLongest, problemsOf } from './expect-problems.ts';

test('a community has a name and a description without the spaces around them', () => {
  expect(communityInputSchema.parse({ name: ' Ilala ', description: ' Soko\nla Ilala ' })).toEqual({
    name: 'Ilala',
    description: 'Soko\nla Ilala',
  });
  expect(communityInputSchema.parse({ name: 'Ilala' })).toEqual({ name: 'Ilala', description: '' });
  for (const name of [undefined, ' '])
    expect(problemsOf(communityInputSchema, { name })).toEqual(['name: community_name_required']);
  expect(problemsOf(communityInputSchema, { name: 'Ila\nla' })).toEqual(['name: text_control_characters']);
});

test('a change of a community leaves out what stays', () => {
  expect(communityChangeSchema.parse({})).toEqual({});
  expect(problemsOf(communityChangeSchema, { name: ' ', description: 5, is_listed: 'yes' })).toEqual([
    'name: community_name_required',
    'description: text_invalid',
    'is_listed: yes_or_no',
  ]);
});

test('texts of and about a community have their longest', () => {
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

test('what joining and running a community needs is said', () => {
  expect(problemsOf(joinInputSchema, {})).toEqual(['access_code: access_code_required']);
  expect(problemsOf(roleInputSchema, { role: 'owner' })).toEqual(['role: role_invalid']);
  for (const role of ['admin', 'member']) expect(problemsOf(roleInputSchema, { role })).toEqual([]);
  expect(problemsOf(appointmentSchema, {})).toEqual(['user_id: member_required']);
  expect(problemsOf(approvalInputSchema, { name: 5 })).toEqual(['name: text_invalid']);
  expect(problemsOf(approvalInputSchema, {})).toEqual([]);
});

test('a request to join may say nothing, in whatever way, or several lines', () => {
  for (const message of [undefined, null, '', ' \n'])
    expect(joinRequestInputSchema.parse({ message })).toEqual({ message: null });
  expect(joinRequestInputSchema.parse({ message: ' Habari\nza leo' })).toEqual({ message: ' Habari\nza leo' });
  expect(problemsOf(joinRequestInputSchema, { message: 5 })).toEqual(['message: text_invalid']);
});

test('lists begin at their start, with fifty entries and no search', () => {
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
])('a page of %s entries: %j', (limit, problems) => expect(problemsOf(pageQuerySchema, { limit })).toEqual(problems));

test.each([
  [pageQuerySchema, ['1', '9'.repeat(16)], ['0', '01', '9'.repeat(17), '1.a']],
  [
    memberListQuerySchema,
    ['1.a', `${'9'.repeat(15)}.${'a'.repeat(100)}`],
    ['1', '1.', `1.${'a'.repeat(101)}`, '1.a.b'],
  ],
])('a cursor is one of ours', (schema, good, bad) => {
  for (const cursor of good) expect(problemsOf(schema, { cursor })).toEqual([]);
  for (const cursor of bad) expect(problemsOf(schema, { cursor }), cursor).toEqual(['cursor: cursor_invalid']);
});

test('a report has one of the reasons, and a text only if there is one', () => {
  for (const reason of ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'])
    expect(reportInputSchema.parse({ reason, text: ' ' })).toEqual({ reason, text: null });
  expect(problemsOf(reportInputSchema, {})).toEqual(['reason: report_reason_required']);
  expectLongest(reportInputSchema, 500, {
    around: (text) => ({ reason: 'scam', text }),
    problem: 'text: text_too_long',
  });
});

test('an admin’s reason is needed to hide and may be left out to restore', () => {
  for (const reason of [undefined, 5, ' '])
    expect(problemsOf(moderationReasonSchema, { reason })).toEqual(['reason: reason_required']);
  for (const reason of [undefined, null, ' ']) expect(restorationSchema.parse({ reason })).toEqual({ reason: null });
  for (const schema of [moderationReasonSchema, restorationSchema]) {
    expect(schema.parse({ reason: 'a\nb' })).toEqual({ reason: 'a\nb' });
    expectLongest(schema, 500, { around: (reason) => ({ reason }), problem: 'reason: text_too_long' });
  }
});

test('feedback has an e-mail and a message of up to 5,000 characters in lines', () => {
  expect(problemsOf(feedbackInputSchema, {})).toEqual(['email: email_required', 'message: message_required']);
  const around = (message: string) => ({ email: 'asha@example.com', message });
  expect(problemsOf(feedbackInputSchema, around('a\nb'))).toEqual([]);
  expectLongest(feedbackInputSchema, 5_000, { around, problem: 'message: text_too_long' });
});

test('an admin searches without the spaces around the words, for nothing at first', () => {
  expect(adminSearchQuerySchema.parse({})).toEqual({ q: '' });
  expect(adminSearchQuerySchema.parse({ q: ' asha ' })).toEqual({ q: 'asha' });
  expectLongest(adminSearchQuerySchema, 500, { around: (q) => ({ q }), problem: 'q: text_too_long' });
});

test('all four switches are set together, each on or off', () => {
  expect(problemsOf(switchesSchema, {})).toEqual([
    'registration: yes_or_no',
    'photos: yes_or_no',
    'claims: yes_or_no',
    'whatsapp_notices: yes_or_no',
  ]);
});
