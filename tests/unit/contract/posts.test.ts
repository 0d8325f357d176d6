import { expect, test } from 'vitest';
import { claimInputSchema, claimTextInputSchema, handOverInputSchema } from '#contract/claims.ts';
import { newPhotoQuerySchema, photoChangeSchema } from '#contract/photos.ts';
import {
  identifierLookupSchema,
  newPostSchema,
  outcomeInputSchema,
  postInputSchema,
  postListQuerySchema,
} from '#contract/posts.ts';
import { expectLongest, problemsOf } from './expect-problems.ts';

const POST = { title: 'Simu', location: 'Moshi', phone_number: '0712345678' };
const NUMBER = 'ABC 123 456';

test('a post without its required fields reports each of them', () => {
  const needed = ['title: title_required', 'location: location_required', 'phone_number: phone_required'];
  expect(problemsOf(postInputSchema, {})).toEqual(needed);
  expect(problemsOf(postInputSchema, { title: ' ', location: '\u200b', phone_number: ' ' })).toEqual(needed);
  expect(problemsOf(postInputSchema, { ...POST, phone_number: '1' })).toEqual(['phone_number: phone_invalid']);
});

test('a field that is omitted is empty in a new post, and keeps its value in an update of a post', () => {
  expect(postInputSchema.parse(POST)).toEqual({
    ...POST,
    owner_first_name: '',
    owner_last_name: '',
    description: '',
    posted_by: 'finder',
    community_code: null,
  });
});

test('if a field of a post has a value of the wrong type, the error names the expected type', () => {
  const wrong = {
    owner_first_name: 5,
    owner_last_name: 5,
    description: 5,
    posted_by: 'x',
    community_code: 5,
    kind: 'x',
    on_behalf: 'x',
    kept_at: 5,
    claim_question: 5,
    private_marks: 5,
    contact: 'x',
    identifiers: 'x',
    answers_post_id: 5,
  };
  expect(problemsOf(newPostSchema, { ...POST, ...wrong })).toEqual([
    'owner_first_name: text_invalid',
    'owner_last_name: text_invalid',
    'description: text_invalid',
    'posted_by: posted_by_invalid',
    'community_code: text_invalid',
    'kind: kind_invalid',
    'on_behalf: yes_or_no',
    'kept_at: text_invalid',
    'claim_question: text_invalid',
    'private_marks: text_invalid',
    'contact: contact_invalid',
    'identifiers: identifier_invalid',
    'answers_post_id: answered_post_invalid',
  ]);
});

test.each([
  ['title', 120],
  ['owner_first_name', 60],
  ['owner_last_name', 60],
  ['location', 120],
  ['description', 2_000],
  ['kept_at', 120],
  ['claim_question', 200],
  ['private_marks', 500],
  ['community_code', 40],
])('the field “%s” of a post has at most %i characters', (field, length) =>
  expectLongest(postInputSchema, length, {
    around: (text) => ({ ...POST, [field]: text }),
    problem: `${field}: text_too_long`,
  }),
);

test('a post’s description may have several lines; the title, the location and the owner’s name may not', () => {
  for (const field of ['description', 'claim_question', 'private_marks'])
    expect(problemsOf(postInputSchema, { ...POST, [field]: 'a\nb' })).toEqual([]);
  for (const field of ['title', 'location', 'kept_at', 'owner_first_name'])
    expect(problemsOf(postInputSchema, { ...POST, [field]: 'a\nb' })).toEqual([`${field}: text_control_characters`]);
});

test('a text that contains half of a Unicode surrogate pair is refused', () => {
  expect(problemsOf(postInputSchema, { ...POST, title: 'Simu \ud83d' })).toEqual(['title: text_control_characters']);
});

test('an optional text of a post is read as null if it is blank', () => {
  for (const field of ['kept_at', 'claim_question', 'private_marks', 'community_code'])
    for (const value of [null, '', ' '])
      expect(postInputSchema.parse({ ...POST, [field]: value })).toMatchObject({ [field]: null });
  expect(postInputSchema.parse({ ...POST, kept_at: ' Polisi ' })).toMatchObject({ kept_at: ' Polisi ' });
  expect(postInputSchema.parse({ ...POST, community_code: ' abc ' })).toMatchObject({ community_code: 'abc' });
});

test('a new post may contain null as its kind, contact, identifiers, on_behalf and answers_post_id', () => {
  const choices = { kind: null, on_behalf: null, contact: null, identifiers: null, answers_post_id: null };
  expect(newPostSchema.parse({ ...POST, ...choices })).toMatchObject(choices);
  for (const kind of ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'])
    expect(newPostSchema.parse({ ...POST, kind })).toMatchObject({ kind });
});

test('a post has at most two identifiers, each of a valid length', () => {
  const check = (...identifiers: string[]) => problemsOf(postInputSchema, { ...POST, identifiers });
  expect(check(NUMBER, '123456')).toEqual([]);
  expect(check(NUMBER, '123456', '654321')).toEqual(['identifiers: identifiers_too_many']);
  expect(check('12345')).toEqual(['identifiers.0: identifier_invalid']);
  expect(check('ABC12')).toEqual(['identifiers.0: identifier_invalid']);
  expect(check('XYZWT12', 'XYZW123')).toEqual(['identifiers.0: identifier_invalid']);
  expect(check('1'.repeat(40), '1'.repeat(41))).toEqual(['identifiers.1: identifier_invalid']);
  expect(check('123456'.padEnd(120, '-'), '123456'.padEnd(121, '-'))).toEqual(['identifiers.1: identifier_invalid']);
  expect(problemsOf(identifierLookupSchema, {})).toEqual(['identifier: identifier_invalid']);
});

test.each(['returned', 'found_it_myself', 'with_police', 'with_office', 'given_up', 'other'])(
  'the author may give a post the outcome “%s”',
  (outcome) => expect(problemsOf(outcomeInputSchema, { outcome })).toEqual([]),
);

test('the author cannot close a post with the outcome “open”', () => {
  expect(problemsOf(outcomeInputSchema, { outcome: 'open' })).toEqual(['outcome: outcome_invalid']);
});

test('an empty filter of the list of posts counts as not set', () => {
  const none = { limit: 50, search: '', place: '', community_code: null };
  const blank = { search: '', posted_by: '', kind: '', place: '', since: '', open: '', exact: '', community_code: ' ' };
  expect(postListQuerySchema.parse({})).toEqual(none);
  expect(postListQuerySchema.parse(blank)).toEqual(none);
});

test('a filter of the list of posts is refused if its value is invalid or too long', () => {
  const filters = { posted_by: 'owner', kind: 'bag', open: '1', exact: '1' };
  expect(postListQuerySchema.parse(filters)).toMatchObject(filters);
  expect(problemsOf(postListQuerySchema, { posted_by: 'x', kind: 'x', since: 'x', open: '0', exact: '0' })).toEqual([
    'exact: exact_invalid',
    'posted_by: posted_by_invalid',
    'kind: kind_invalid',
    'since: since_invalid',
    'open: open_invalid',
  ]);
  for (const [field, length] of [
    ['search', 500],
    ['place', 120],
  ] as const)
    expectLongest(postListQuerySchema, length, {
      around: (text) => ({ [field]: text }),
      problem: `${field}: text_too_long`,
    });
});

test.each([
  ['2026-11-23', '2026-11-22T21:00:00Z'],
  ['2026-11-23T10:00', '2026-11-23T07:00:00Z'],
  ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00Z'],
  ['2026-11-23T10:00:00-01:00', '2026-11-23T11:00:00Z'],
])('the time %s in a filter of posts is read as %s', (since, moment) =>
  expect(postListQuerySchema.parse({ since }).since).toBe(Date.parse(moment)),
);

test('a claim’s answer to the finder’s question may have several lines, and the claimant’s phone number is optional', () => {
  for (const phone_number of [undefined, null, '', ' '])
    expect(claimInputSchema.parse({ answer: 'a\nb', phone_number })).toEqual({ answer: 'a\nb', phone_number: null });
  expect(claimInputSchema.parse({ answer: 'a', phone_number: '0712' })).toMatchObject({ phone_number: '0712' });
  expect(problemsOf(claimInputSchema, { answer: ' ', phone_number: 5 })).toEqual([
    'answer: message_required',
    'phone_number: phone_required',
  ]);
  expect(problemsOf(claimTextInputSchema, {})).toEqual(['text: message_required']);
  expectLongest(claimInputSchema, 500, { around: (answer) => ({ answer }), problem: 'answer: text_too_long' });
  expectLongest(claimTextInputSchema, 500, { around: (text) => ({ text }), problem: 'text: text_too_long' });
});

test('a hand-over code has six digits', () => {
  expect(handOverInputSchema.parse({ code: ' 123456 ' })).toEqual({ code: '123456' });
  for (const code of ['12345', '1234567', 'abcdef', ''])
    expect(problemsOf(handOverInputSchema, { code })).toEqual(['code: code_invalid']);
  expect(problemsOf(handOverInputSchema, {})).toEqual(['code: code_required']);
});

test('a photo’s description has up to 200 characters, and the photo’s position is zero or a positive whole number', () => {
  expect(newPhotoQuerySchema.parse({})).toEqual({ alt: '' });
  expect(photoChangeSchema.parse({})).toEqual({});
  expect(photoChangeSchema.parse({ position: 0 })).toEqual({ position: 0 });
  for (const position of [-1, 0.5, '1'])
    expect(problemsOf(photoChangeSchema, { position })).toEqual(['position: position_invalid']);
  for (const schema of [newPhotoQuerySchema, photoChangeSchema])
    expectLongest(schema, 200, { around: (alt) => ({ alt }), problem: 'alt: text_too_long' });
});
