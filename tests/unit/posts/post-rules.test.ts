import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { postInputSchema, WRITTEN_FIELDS } from '#contract/posts.ts';
import { nullsOf } from '#tests/support/posts.ts';
import { bitsOf, canSee } from '#worker/conditions/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { endOfDay } from '#worker/limits/limits.ts';
import { assertAuthor, assertVisible, chooseCommunity } from '#worker/posts/find-post.ts';
import {
  ALL_NUMBERS,
  type Asker,
  type PostRowForViewer,
  postRowForViewer,
  presentPost,
  presentToAdmin,
  presentToAnybody,
} from '#worker/posts/present-post.ts';

const AUTHOR = { userId: 'author', tokenVersion: 1, sessionId: '' };
const READER = { userId: 'reader', tokenVersion: 1, sessionId: '' };

function by(viewer: Viewer | null): Asker {
  return { viewer, config: { keys: { photo: 'siri' } } };
}

function row(overrides: Partial<PostRowForViewer> = {}): PostRowForViewer {
  return {
    ...nullsOf<PostRowForViewer>(postRowForViewer()),
    seq: 1,
    id: 'p',
    author_id: 'author',
    title: 'Simu',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Moshi',
    phone_number: '0712345678',
    is_author_proven: 0,
    description: '',
    posted_by: 'finder',
    kind: 'electronics',
    on_behalf: 0,
    contact: 'number',
    is_found: 0,
    has_identifiers: 0,
    hidden_by: 0,
    created_at: 0,
    photos: '[]',
    is_opened: 1,
    ...overrides,
  };
}

function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('a visitor does not see a post’s phone number, and a signed-in person does', () => {
  expect(presentPost(row(), by(null), ALL_NUMBERS)).toMatchObject({ phone_number: null, is_mine: false });
  expect(presentPost(row(), by(READER), ALL_NUMBERS)).toMatchObject({ phone_number: '0712345678', is_mine: false });
  expect(presentPost(row(), by(AUTHOR))).toMatchObject({ phone_number: '0712345678', is_mine: true });
});

test('a visitor sees no phone number in a photo’s description, and only the author sees the photos of a document', () => {
  const photo = { id: 'a', width: 1, height: 1, alt: 'Piga 0712345678', has_og: 0 };
  const altsFor = (viewer: Viewer | null, kind: 'bag' | 'document') =>
    presentPost(row({ kind, photos: JSON.stringify([photo]) }), by(viewer)).photos.map(({ alt }) => alt);
  expect([null, READER, AUTHOR].map((viewer) => altsFor(viewer, 'bag'))).toEqual([
    ['Piga •••'],
    ['Piga 0712345678'],
    ['Piga 0712345678'],
  ]);
  expect([null, READER, AUTHOR].map((viewer) => altsFor(viewer, 'document'))).toEqual([[], [], ['Piga 0712345678']]);
});

test('only people who see a phone number also see whether the number is proven', () => {
  expect(presentPost(row({ is_author_proven: 1 }), by(null)).is_author_proven).toBeNull();
  expect(presentPost(row({ is_author_proven: 1 }), by(READER), ALL_NUMBERS).is_author_proven).toBe(true);
  expect(presentPost(row(), by(READER), ALL_NUMBERS).is_author_proven).toBe(false);
  expect(presentPost(row({ is_author_proven: 1 }), by(READER)).is_author_proven).toBeNull();
});

test('a viewer who has seen the day’s maximum of phone numbers sees only their own number until midnight', () => {
  const opensAt = Date.parse('2026-11-22T21:00:00Z');
  const numbers = { has: () => false, opensAt };
  const limited = { phone_number: null, is_contact_limited: true, contact_opens_at: '2026-11-22T21:00:00.000Z' };
  expect(presentPost(row(), by(READER), numbers)).toMatchObject(limited);
  const whole = { phone_number: '0712345678', is_contact_limited: false, contact_opens_at: null };
  expect(presentPost(row(), by(AUTHOR), numbers)).toMatchObject(whole);
  expect(presentPost(row(), by(null), numbers)).toMatchObject({ ...whole, phone_number: null });
});

test('presentPost hides a phone number unless the caller says that the viewer may see the number', () => {
  expect(presentPost(row(), by(READER))).toMatchObject({ phone_number: null });
});

test('a day ends at midnight in Dar es Salaam', () => {
  const end = (iso: string) => new Date(endOfDay(Date.parse(iso))).toISOString();
  expect(end('2026-11-22T20:59:59.999Z')).toBe('2026-11-22T21:00:00.000Z');
  expect(end('2026-11-22T21:00:00.000Z')).toBe('2026-11-23T21:00:00.000Z');
  expect(end('2026-11-22T00:00:00.000Z')).toBe('2026-11-22T21:00:00.000Z');
});

test('a post whose database row has is_opened = 0 is visible only to its author', () => {
  const closed = { is_opened: 0 } as const;
  expect(canSee(row(), null)).toBe(true);
  expect(canSee(row(), READER)).toBe(true);
  expect(canSee(row(closed), null)).toBe(false);
  expect(canSee(row(closed), READER)).toBe(false);
  expect(canSee(row(closed), AUTHOR)).toBe(true);
});

test('the bits stored in hidden_by are shown as the names of the reasons for hiding', () => {
  expect(presentPost(row(), by(AUTHOR))).toMatchObject({ is_hidden: false, hidden_by: [] });
  expect(presentPost(row({ hidden_by: 1 }), by(AUTHOR))).toMatchObject({ is_hidden: true, hidden_by: ['reports'] });
  expect(presentPost(row({ hidden_by: 2 + 4 + 8 }), by(AUTHOR)).hidden_by).toEqual([
    'community',
    'admin',
    'suspension',
  ]);
});

test('each reason for which a post is hidden has its own bit', () => {
  const hiders = ['reports', 'community', 'admin', 'suspension', 'closed_account'] as const;
  expect(hiders.map((name) => bitsOf([name]))).toEqual([1, 2, 4, 8, 16]);
  expect([bitsOf([]), bitsOf(['reports', 'suspension'])]).toEqual([0, 9]);
});

test('a viewer who may not see a post gets post_not_found when they open it and when they try to change it', () => {
  for (const candidate of [undefined, row({ is_opened: 0 })]) {
    expect(codeOf(() => assertVisible(candidate, READER))).toBe('post_not_found');
    expect(codeOf(() => assertAuthor(candidate, READER))).toBe('post_not_found');
  }
  expect(codeOf(() => assertAuthor(row(), READER))).toBe('forbidden');
  expect(codeOf(() => assertAuthor(row(), AUTHOR))).toBeNull();
});

test('an author can post publicly, or in an approved community of which they are a member', () => {
  expect(chooseCommunity(null, undefined)).toBeNull();
  expect(chooseCommunity('X', { id: 'c', approval_status: 1, is_member: 1, is_admin: 0, is_suspended: 0 })).toBe('c');
  expect(codeOf(() => chooseCommunity('X', undefined))).toBe('not_a_member');
  expect(
    codeOf(() => chooseCommunity('X', { id: 'c', approval_status: 1, is_member: 0, is_admin: 0, is_suspended: 0 })),
  ).toBe('not_a_member');
  expect(
    codeOf(() => chooseCommunity('X', { id: 'c', approval_status: 0, is_member: 0, is_admin: 0, is_suspended: 0 })),
  ).toBe('not_a_member');
  expect(
    codeOf(() => chooseCommunity('X', { id: 'c', approval_status: 0, is_member: 1, is_admin: 0, is_suspended: 0 })),
  ).toBe('community_not_approved');
});

test('a request to create a post is valid if it has only the fields of WRITTEN_FIELDS, such as title and location', () => {
  const values = { title: 'Simu', location: 'Moshi', phone_number: '0712345678', posted_by: 'finder' };
  const sent = Object.fromEntries(WRITTEN_FIELDS.map((name) => [name, name in values ? values[name as never] : '']));
  expect(postInputSchema.safeParse(sent)).toMatchObject({ success: true, data: sent });
});

test.each([
  [{}, 'open'],
  [{ away_since: 1 }, 'resting'],
  [{ away_since: 1, outcome: 'other' }, 'closed'],
  [{ outcome: 'returned', is_found: 1 }, 'returned'],
  [{ hidden_by: 1 }, 'hidden'],
  [{ hidden_by: 16, away_since: 1 }, 'hidden'],
  [{ hidden_by: 4, is_found: 1 }, 'returned'],
] as const)('a post with %j is in the state %s, and has rests_at only while it is open', (overrides, state) => {
  const post = presentPost(row(overrides), by(AUTHOR));
  expect([post.state, post.is_found]).toEqual([state, state === 'returned']);
  expect(post.rests_at).toBe(state === 'open' ? new Date(60 * DAY_MS).toISOString() : null);
});

test('a post begins to rest 60 days after its author created it, last edited it or last confirmed that they are still looking', () => {
  const restsAt = (overrides: Partial<PostRowForViewer>) => presentPost(row(overrides), by(AUTHOR)).rests_at;
  expect(restsAt({ created_at: 5 })).toBe(new Date(60 * DAY_MS + 5).toISOString());
  expect(restsAt({ created_at: 5, renewed_at: 7 * DAY_MS })).toBe(new Date(67 * DAY_MS).toISOString());
});

test('only the author sees the private marks, identifiers and rest date of a post', () => {
  const own = { private_marks: 'Doa', has_identifiers: 1, claim_question: 'Nini ndani?' } as const;
  expect(presentPost(row(own), by(AUTHOR))).toMatchObject({ private_marks: 'Doa', has_identifiers: true });
  expect(presentPost(row(), by(AUTHOR))).toMatchObject({ private_marks: null, has_identifiers: false });
  for (const viewer of [READER, null])
    for (const key of ['private_marks', 'has_identifiers', 'rests_at'])
      expect(presentPost(row(own), by(viewer))).not.toHaveProperty(key);
});

test('a signed-in person sees the question to claimants only while they can claim the thing', () => {
  const questionFor = (viewer: Viewer | null, overrides: Partial<PostRowForViewer> = {}) =>
    presentPost(row({ claim_question: 'Piga 0712345678?', ...overrides }), by(viewer)).claim_question;
  expect(questionFor(AUTHOR)).toBe('Piga 0712345678?');
  expect(questionFor(AUTHOR, { is_found: 1, posted_by: 'owner' })).toBe('Piga 0712345678?');
  expect(questionFor(READER)).toBe('Piga •••?');
  expect(questionFor(null)).toBeNull();
  for (const ended of [{ is_found: 1 }, { hidden_by: 1 }, { away_since: 1 }, { posted_by: 'owner' }] as const)
    expect(questionFor(READER, ended)).toBeNull();
});

test('the reason for hiding a post is shown only while the post is hidden', () => {
  const reasonOf = (hidden_by: number) =>
    presentPost(row({ hidden_by, hidden_reason: 'Utapeli' }), by(AUTHOR)).hidden_reason;
  expect([reasonOf(0), reasonOf(1), reasonOf(4)]).toEqual([null, 'Utapeli', 'Utapeli']);
});

test('an admin who decides a case sees the whole post with its phone number', () => {
  const post = row({ kind: 'document', title: 'Leseni 654321', description: 'Piga 0612 345 678' });
  expect(presentToAdmin(post, by(READER))).toMatchObject({
    title: 'Leseni 654321',
    description: 'Piga 0612 345 678',
    phone_number: '0712345678',
  });
});

test.each([
  ['a public post', 'the post', {}],
  ['a community’s post', 'for_members', { is_opened: 0, community_id: 'c' }],
  ['a community’s post that is hidden', 'absent', { is_opened: 0, community_id: 'c', hidden_by: 1 }],
  ['a community’s post that is closed', 'absent', { is_opened: 0, community_id: 'c', away_since: 1 }],
  ['a public post that is hidden', 'absent', { is_opened: 0, hidden_by: 1 }],
] as const)(
  'for a visitor to the share page of %s, presentToAnybody returns “%s” (for_members: a hint for members; absent: 404)',
  (_what, shown, overrides) => {
    const { config } = by(null);
    const answer = presentToAnybody(row({ title: 'Simu 0612345678', ...overrides }), config);
    expect(typeof answer === 'string' ? answer : 'the post').toBe(shown);
    if (typeof answer !== 'string') expect(answer).toMatchObject({ title: 'Simu •••', phone_number: null });
    expect(presentToAnybody(undefined, config)).toBe('absent');
  },
);
