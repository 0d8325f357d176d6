import { expect, test } from 'vitest';
import { readTexts } from '#worker/whatsapp/incoming-rules.ts';
import { isTimely, readWord } from '#worker/whatsapp/word-rules.ts';

const MESSAGE = {
  id: 'wamid.1',
  from: '255712345678',
  timestamp: '1763683200',
  type: 'text',
  text: { body: 'STOP' },
};
const READ = { id: 'wamid.1', from: '+255712345678', text: 'STOP', sentAt: 1_763_683_200_000 };

function read(...messages: unknown[]) {
  return readTexts({ entry: [{ changes: [{ value: { messages } }] }] });
}

test('a text has its sender’s number with a plus, and its time in milliseconds', () => {
  expect(read(MESSAGE)).toEqual([READ]);
});

test('texts of every entry and change are read', () => {
  const change = (id: string) => ({ value: { messages: [{ ...MESSAGE, id }] } });
  const payload = { entry: [{ changes: [change('1'), { value: {} }, change('2')] }, { changes: [change('3')] }] };
  expect(readTexts(payload).map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test.each([
  ['forwarded', { context: { forwarded: true } }],
  ['forwarded often', { context: { frequently_forwarded: true } }],
  ['of another type', { type: 'image' }],
  ['without a text', { text: undefined }],
  ['without an id', { id: '' }],
  ['whose id is too long', { id: 'x'.repeat(257) }],
  ['whose time is none', { timestamp: 'jana' }],
])('a message that is %s is not read', (_what, change) => {
  expect(read({ ...MESSAGE, ...change }, null, 'STOP')).toEqual([]);
});

test('an answer to one of ours is read, and so is the longest id', () => {
  expect(read({ ...MESSAGE, context: { forwarded: false, frequently_forwarded: false } })).toEqual([READ]);
  expect(read({ ...MESSAGE, id: 'x'.repeat(256) })).toHaveLength(1);
});

test.each([undefined, '', '123456', '1234567890123456', '+255712345678', 'asha'])(
  'a sender %j is nobody’s number',
  (from) => {
    expect(read({ ...MESSAGE, from })).toEqual([{ ...READ, from: null }]);
  },
);

test('a number has seven to fifteen digits', () => {
  for (const from of ['1234567', '123456789012345'])
    expect(read({ ...MESSAGE, from })).toEqual([{ ...READ, from: `+${from}` }]);
});

test('a payload about something else has no texts', () => {
  for (const payload of [null, {}, { entry: 'x' }, { entry: [{ changes: [{ value: { statuses: [] } }] }] }])
    expect(readTexts(payload)).toEqual([]);
});

test('each word is known in both languages, alone and in any case', () => {
  expect(['stop', 'Acha ', 'START', '\nanza'].map(readWord)).toEqual([false, false, true, true]);
  expect(['', 'stopp', 'stop it'].map(readWord)).toEqual([null, null, null]);
});

test('a word counts for seven days, and up to a minute ahead of our clock', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const week = 7 * 24 * 60 * 60 * 1000;
  const offsets = [-week, -week + 1, 0, 60_000, 60_001];
  expect(offsets.map((offset) => isTimely(now + offset, now))).toEqual([false, true, true, true, false]);
});
