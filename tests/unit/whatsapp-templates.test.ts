import { afterEach, expect, test, vi } from 'vitest';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Config } from '#worker/env.ts';
import { sendLocally } from '#worker/whatsapp/local-transport.ts';
import { composeMessage } from '#worker/whatsapp/templates.ts';

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
] as const)('a person who has %s is answered in %s', (kind, language, body) => {
  expect(compose({ kind, messageId: 'm', recipientId: 'u' }, language)).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: TO,
    type: 'text',
    text: { preview_url: false, body },
  });
});

test.each([
  ['approved', 'en', 'approved'],
  ['rejected', 'en', 'rejected'],
  ['approved', 'sw', 'imeidhinishwa'],
  ['rejected', 'sw', 'imekataliwa'],
] as const)('that a community was %s is said in %s', (outcome, language, word) => {
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
});

test('a title goes out without line breaks, tabs and runs of spaces', () => {
  const about = { ...ABOUT, title: ' Simu\n\tnyeusi   ya Tecno ' };
  expect(compose(MATCH, 'sw', { about })).toMatchObject({
    template: { name: 'match', components: [{ parameters: [{ type: 'text', text: 'Simu nyeusi ya Tecno' }] }] },
  });
});

test('without a template, or anything to tell, there is no message', () => {
  const without = { ...CONFIG, whatsapp: { ...CONFIG.whatsapp, decisionTemplate: null, matchTemplate: null } };
  expect(compose({ ...DECISION, outcome: 'approved' }, 'en', { config: without })).toBeNull();
  expect(compose(MATCH, 'en', { config: without, about: ABOUT })).toBeNull();
  expect(compose(MATCH, 'en')).toBeNull();
});

test('the local transport prints to whom a message goes and what it says', () => {
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
