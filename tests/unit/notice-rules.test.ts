import { expect, test } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import { presentNotice, toLiveMessage } from '#worker/notices/notice-rules.ts';

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

test('a match is told with everything that its message has', () => {
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

test('of a document no part of the message has a whole number', () => {
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

test('where a thing is kept is left out where nobody said so', () => {
  expect(toLiveMessage(someRow({ kept_at: null }), MAX)).toMatchObject({ kept_at: null });
});

test.each<[what: string, row: Partial<Row>, maxNumbers: number | null, contact: unknown[]]>([
  ['the fiftieth of the day has its number', { place_in_day: 50 }, MAX, ['0712345678', false, null]],
  ['one beyond has none until the next day', { place_in_day: 51 }, MAX, [null, true, '2026-11-22T21:00:00.000Z']],
  ['without limits every one has it', { place_in_day: 51 }, null, ['0712345678', false, null]],
  ['one without a number is not limited', { place_in_day: 0 }, MAX, [null, false, null]],
  ['a post that is claimed shows none', { contact: 'claim', place_in_day: 51 }, MAX, [null, false, null]],
  ['nor does a thing with an identifier', { shares_identifier: 1, place_in_day: 51 }, MAX, [null, false, null]],
])('of the numbers in notices: %s', (_what, row, maxNumbers, contact) => {
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
] as const)('%s names the claim and its post, whose number the finder alone reads', (type) => {
  const claim = { claim_id: 'c', claimed_post_id: 'p', claimed_title: 'AB654321', claimed_kind: 'document' } as const;
  const news = { type, id: 'n', claim_id: 'c', post_id: 'p', created_at: new Date(TOLD_AT).toISOString() };
  const tell = (is_to_finder: 0 | 1) => toLiveMessage(someRow({ ...claim, type, is_to_finder }), MAX);
  expect(tell(1)).toEqual({ ...news, title: 'AB654321' });
  expect(tell(0)).toEqual({ ...news, title: 'AB•••4321' });
});

test('news of a claim whose post’s author is gone has no title', () => {
  const row = { type: 'claim_closed', claim_id: 'c', claimed_post_id: null, claimed_title: null } as const;
  expect(toLiveMessage(someRow(row), MAX)).toMatchObject({ title: '', post_id: '' });
});

test('any other notice is told as it was stored', () => {
  const stored: LiveMessage = { type: 'password_changed', id: 'n', created_at: '2026-11-22T05:00:00.000Z' };
  expect(toLiveMessage(someRow({ type: 'password_changed', body: JSON.stringify(stored) }), MAX)).toEqual(stored);
});

test('in the list a notice says when it was told and read, and whether it can still be acted on', () => {
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
