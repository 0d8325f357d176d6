import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Config } from '#worker/env.ts';
import { deriveCode, digestResetCode } from '#worker/identity/codes.ts';
import { sendLocally } from '#worker/whatsapp/cloud-api.ts';
import { composeMessage } from '#worker/whatsapp/compose-message.ts';
import { isTimely, readWord } from '#worker/whatsapp/hear-word.ts';
import { readTexts } from '#worker/whatsapp/webhook.ts';

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

test('a received WhatsApp text has the phone number of its sender, with a plus, and its time in milliseconds', () => {
  expect(read(MESSAGE)).toEqual([READ]);
});

test('all WhatsApp texts in a webhook payload are read, from every item of `entry` and of `changes`', () => {
  const change = (id: string) => ({ value: { messages: [{ ...MESSAGE, id }] } });
  const payload = { entry: [{ changes: [change('1'), { value: {} }, change('2')] }, { changes: [change('3')] }] };
  expect(readTexts(payload).map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test.each([
  ['that was forwarded', { context: { forwarded: true } }],
  ['that was often forwarded', { context: { frequently_forwarded: true } }],
  ['of another type', { type: 'image' }],
  ['without a text', { text: undefined }],
  ['without an id', { id: '' }],
  ['whose id is too long', { id: 'x'.repeat(257) }],
  ['without a valid time', { timestamp: 'jana' }],
])('a received WhatsApp message %s is ignored', (_what, change) => {
  expect(read({ ...MESSAGE, ...change }, null, 'STOP')).toEqual([]);
});

test('a received WhatsApp message whose “forwarded” mark is false, or whose id has the maximum of 256 characters, is accepted', () => {
  expect(read({ ...MESSAGE, context: { forwarded: false, frequently_forwarded: false } })).toEqual([READ]);
  expect(read({ ...MESSAGE, id: 'x'.repeat(256) })).toHaveLength(1);
});

test.each([undefined, '', '123456', '1234567890123456', '+255712345678', 'asha'])(
  'a received WhatsApp message whose sender %j is not 7 to 15 digits is read without a sender',
  (from) => {
    expect(read({ ...MESSAGE, from })).toEqual([{ ...READ, from: null }]);
  },
);

test('a WhatsApp sender’s phone number may have seven to fifteen digits', () => {
  for (const from of ['1234567', '123456789012345'])
    expect(read({ ...MESSAGE, from })).toEqual([{ ...READ, from: `+${from}` }]);
});

test('readTexts returns an empty list for a webhook payload without messages', () => {
  for (const payload of [null, {}, { entry: 'x' }, { entry: [{ changes: [{ value: { statuses: [] } }] }] }])
    expect(readTexts(payload)).toEqual([]);
});

test('the words STOP and START are recognised in both languages and in any letter case, if the message has no other word', () => {
  expect(['stop', 'Acha ', 'START', '\nanza'].map(readWord)).toEqual([false, false, true, true]);
  expect(['', 'stopp', 'stop it'].map(readWord)).toEqual([null, null, null]);
});

test('a STOP or START message is accepted if it is less than seven days old, and at most a minute ahead of our clock', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const week = 7 * 24 * 60 * 60 * 1000;
  const offsets = [-week, -week + 1, 0, 60_000, 60_001];
  expect(offsets.map((offset) => isTimely(now + offset, now))).toEqual([false, true, true, true, false]);
});

describe('WhatsApp messages', () => {
  const TO = '+255712345678';
  const CONFIG = {
    whatsapp: { resetTemplate: 'verification_code', decisionTemplate: 'decision', matchTemplate: 'match' },
    keys: { code: 'a-secret-that-only-the-tests-know-0123456789' },
  } as Config;
  const ABOUT = { isMatch: true, claimId: null, title: 'Simu', waiting: 1, noticeIds: ['n'] };

  afterEach(() => vi.restoreAllMocks());

  function compose(job: object, language: 'en' | 'sw', { about = null as typeof ABOUT | null, config = CONFIG } = {}) {
    return composeMessage(config, { language, ...job } as WhatsappJob, { to: TO, language, about });
  }

  const MATCH = { kind: 'match_notice', messageId: 'n' };
  const DECISION = { kind: 'community_decision', messageId: 'd', recipientId: 'u', communityName: 'Chuo' };

  test.each([
    ['stopped', 'en', 'Patikana sends you no more WhatsApp messages about matches. To get them again, send START.'],
    [
      'stopped',
      'sw',
      'Patikana haitakutumia tena ujumbe wa WhatsApp kuhusu matangazo yanayofanana. Ukitaka kuupata tena, tuma ANZA.',
    ],
    ['started', 'en', 'Patikana writes to you on WhatsApp when a post matches yours. To stop this, send STOP.'],
    ['started', 'sw', 'Patikana itakuandikia kwa WhatsApp tangazo linapofanana na lako. Ukitaka iache, tuma ACHA.'],
  ] as const)(
    'a person who has stopped or started WhatsApp notices gets a confirmation (action: %s, language: %s)',
    (kind, language, body) => {
      expect(compose({ kind, messageId: 'm', recipientId: 'u' }, language)).toEqual({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: TO,
        type: 'text',
        text: { preview_url: false, body },
      });
    },
  );

  test.each([
    ['approved', 'en', 'approved'],
    ['rejected', 'en', 'rejected'],
    ['approved', 'sw', 'imeidhinishwa'],
    ['rejected', 'sw', 'imekataliwa'],
  ] as const)(
    'the WhatsApp message that a community was %s is worded in the language %s',
    (outcome, language, word) => {
      expect(compose({ ...DECISION, outcome }, language)).toEqual({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: TO,
        type: 'template',
        template: {
          name: 'decision',
          language: { code: language },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Chuo' },
                { type: 'text', text: word },
              ],
            },
          ],
        },
      });
    },
  );

  test('line breaks and tabs in a post’s title become single spaces in a WhatsApp message', () => {
    const about = { ...ABOUT, title: ' Simu\n\tnyeusi   ya Tecno ' };
    expect(compose(MATCH, 'sw', { about })).toMatchObject({
      template: { name: 'match', components: [{ parameters: [{ type: 'text', text: 'Simu nyeusi ya Tecno' }] }] },
    });
  });

  test('a WhatsApp message is not sent if its template is not configured or the post that it is about is missing', () => {
    const without = { ...CONFIG, whatsapp: { ...CONFIG.whatsapp, decisionTemplate: null, matchTemplate: null } };
    expect(compose({ ...DECISION, outcome: 'approved' }, 'en', { config: without })).toBeNull();
    expect(compose(MATCH, 'en', { config: without, about: ABOUT })).toBeNull();
    expect(compose(MATCH, 'en')).toBeNull();
  });

  test('sendLocally prints a WhatsApp message with its recipient and text, and sends nothing', () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const match = compose(MATCH, 'sw', { about: ABOUT });
    const code = compose({ kind: 'reset_code', requestId: 'r' }, 'en');
    const answer = compose({ kind: 'stopped', messageId: 'm', recipientId: 'u' }, 'en');
    for (const message of [match, code, answer]) if (message) expect(sendLocally(message)).toEqual({ wamid: null });
    const event = 'whatsapp_printed';
    expect(printed.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
      { event, to: TO, template: 'match', language: 'sw', texts: ['Simu'] },
      { event, to: TO, template: 'verification_code', language: 'en', texts: [expect.stringMatching(/^\d{6}$/)] },
      { event, to: TO, texts: [expect.stringContaining('send START')] },
    ]);
  });
});

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';

test('deriveCode returns the same six digits for the same request id and secret, and other digits for another secret', () => {
  const requestId = crypto.randomUUID();
  const code = deriveCode(SECRET, requestId);
  expect(code).toMatch(/^\d{6}$/);
  expect(deriveCode(SECRET, requestId)).toBe(code);
  const others = Array.from({ length: 5 }, (_, index) => deriveCode(`${SECRET}${index}`, requestId));
  expect(new Set([code, ...others]).size).toBeGreaterThan(1);
});

test('verification codes are spread evenly over all numbers of six digits, including those that begin with zeros', () => {
  const codes = Array.from({ length: 20_000 }, () => deriveCode(SECRET, crypto.randomUUID()));
  const byFirstDigit = Map.groupBy(codes, (code) => code[0]);
  // 2,000 codes for each first digit are expected, with a standard deviation of 42.
  for (const digit of '0123456789') {
    expect(byFirstDigit.get(digit)?.length).toBeGreaterThan(1_750);
    expect(byFirstDigit.get(digit)?.length).toBeLessThan(2_250);
  }
});

test('the digest of a verification code depends on the phone number and the secret, and does not contain the code', () => {
  const digest = digestResetCode(SECRET, '+255712345678', '123456');
  expect(digest).not.toContain('123456');
  expect(digestResetCode(SECRET, '+255712345679', '123456')).not.toBe(digest);
  expect(digestResetCode(`${SECRET}x`, '+255712345678', '123456')).not.toBe(digest);
});
