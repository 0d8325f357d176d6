import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLAIM_ROLES, CLAIM_STATES, CLAIM_STATUSES, CLAIM_STEPS, type ClaimState } from '#contract/claims.ts';
import { nextState, speaksOfMoney, statusFor } from '#worker/claims/claim-rules.ts';
import { deriveHandoverCode } from '#worker/identity/codes.ts';
import { hideAnyContact } from '#worker/redaction/redact-for.ts';

const NO = 'wrong_state';

/** The result of each step in each state. A step of the other party is always refused. */
const EXPECTED: Record<ClaimState, Partial<Record<string, ClaimState>>> = {
  waiting: {
    'finder ask': 'asked',
    'finder accept': 'accepted',
    'finder decline': 'declining',
    'claimant withdraw': 'withdrawn',
  },
  asked: {
    'claimant reply': 'waiting',
    'finder accept': 'accepted',
    'finder decline': 'declining_asked',
    'claimant withdraw': 'withdrawn',
  },
  accepted: { 'finder decline': 'declined', 'finder hand-over': 'handed_over', 'claimant withdraw': 'withdrawn' },
  declining: { 'finder undo': 'waiting', 'claimant withdraw': 'withdrawn' },
  declining_asked: { 'finder undo': 'asked', 'claimant reply': 'declining', 'claimant withdraw': 'withdrawn' },
  handed_over: {},
  declined: {},
  withdrawn: {},
  closed: {},
};

const WALK = CLAIM_STATES.flatMap((state) =>
  CLAIM_STEPS.flatMap((step) => CLAIM_ROLES.map((role) => ({ state, step, role }))),
);

test('the expected claim transitions of this test cover every state, step and role', () => {
  expect(WALK).toHaveLength(9 * 7 * 2);
  expect(Object.keys(EXPECTED).sort()).toEqual([...CLAIM_STATES].sort());
});

test.each(WALK)('a claim in $state: $step by the $role leads to the expected state', ({ state, step, role }) => {
  expect(nextState(state, step, role)).toBe(EXPECTED[state][`${role} ${step}`] ?? NO);
});

test('while a decline can still be undone, only the finder sees the claim as declined', () => {
  for (const status of CLAIM_STATUSES) for (const role of CLAIM_ROLES) expect(statusFor(role, status)).toBe(status);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining'))).toEqual(['declined', 'waiting']);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining_asked'))).toEqual(['declined', 'asked']);
});

test('the hand-over code of an existing claim stays the same across deployments', () => {
  const ids = ['dai-la-kwanza', 'dai-la-pili'];
  expect(ids.map((id) => deriveHandoverCode('siri', id))).toEqual(['113852', '474523']);
});

const [, ...lines] = readFileSync(new URL('fixtures/claim-texts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const TEXTS = lines.map((line) => line.split('\t') as [hidden: 'yes' | 'no', text: string]);
const textsThat = (are: 'yes' | 'no') => TEXTS.filter(([hidden]) => hidden === are).map(([, text]) => text);

test('the sample claim texts are sixty with and sixty without contact details', () => {
  expect([textsThat('yes').length, textsThat('no').length]).toEqual([60, 60]);
});

test.each(textsThat('yes'))('contact details are removed from: %s', (text) => {
  const shown = hideAnyContact(text);
  expect(shown).toContain('•••');
  // Only words that could be in any text remain.
  expect(shown.normalize('NFKC').replace(/[^\p{Nd}]/gu, '').length).toBeLessThan(6);
  expect(shown).not.toMatch(/wa\.|t\.me|https?:|@|facebook|instagram|gmail/);
});

test.each(textsThat('no'))('a text without contact details stays unchanged: %s', (text) => {
  expect(hideAnyContact(text)).toBe(text);
});

test('removing a phone number or link from a claim’s text leaves the text around it', () => {
  expect(hideAnyContact('Ni changu. Piga 0712 345 678, asante')).toBe('Ni changu. Piga •••, asante');
  expect(hideAnyContact('Ona https://wa.me/255712345678 au njoo')).toBe('Ona ••• au njoo');
  expect(hideAnyContact('Ona www.duka leo')).toBe('Ona ••• leo');
  expect(hideAnyContact('Namba 071234S67B leo')).toBe('Namba ••• leo');
});

test.each([
  'tuma nauli kwanza',
  'Nitumie elfu tano',
  'nitakulipa ukinipa',
  'Lipa kwanza',
  'ulipe kwa M-Pesa',
  'nina hela ya shukrani',
  'send me 5000 first',
  'Pay before I come',
  'There is a small fee',
  'bus fare',
  'Tsh 10,000',
  '5000/=',
  '20k',
  '$ 20',
  'ｐｅｓａ kidogo',
  'airtel \n money',
])('a claim’s text mentions money: %s', (text) => {
  expect(speaksOfMoney(text)).toBe(true);
});

test.each([
  'Rangi gani?',
  'Nitumie picha yake',
  'Kilipatikana wapi?',
  'Ulipoteza lini?',
  'Ililipuka',
  'What colour is it?',
  'Send me a photo',
  'It is feeding time',
  'Tokyo 20km',
  'mwaka elfu mbili na ishirini',
])('a claim’s text does not mention money: %s', (text) => {
  expect(speaksOfMoney(text)).toBe(false);
});
