import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLAIM_ROLES, CLAIM_STATES, CLAIM_STATUSES, CLAIM_STEPS, type ClaimState } from '#contract/claims.ts';
import { nextState, speaksOfMoney, statusFor } from '#worker/claims/claim-rules.ts';
import { deriveHandoverCode } from '#worker/identity/codes.ts';
import { hideAnyContact } from '#worker/redaction/redact-for.ts';

const NO = 'wrong_state';

/** For each state: the allowed steps and the states after them. All other steps are refused. */
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

test('the table of expected claim transitions covers every state, step and role', () => {
  expect(WALK).toHaveLength(9 * 7 * 2);
  expect(Object.keys(EXPECTED).sort()).toEqual([...CLAIM_STATES].sort());
});

test.each(WALK)(
  'in the state $state of a claim the step “$step” by the $role leads to the expected state or is refused',
  ({ state, step, role }) => {
    expect(nextState(state, step, role)).toBe(EXPECTED[state][`${role} ${step}`] ?? NO);
  },
);

test('while the finder can undo a decline, only the finder sees the claim as declined', () => {
  for (const status of CLAIM_STATUSES) for (const role of CLAIM_ROLES) expect(statusFor(role, status)).toBe(status);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining'))).toEqual(['declined', 'waiting']);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining_asked'))).toEqual(['declined', 'asked']);
});

test('the hand-over code of a claim stays the same in every version of the app', () => {
  const ids = ['dai-la-kwanza', 'dai-la-pili'];
  expect(ids.map((id) => deriveHandoverCode('siri', id))).toEqual(['113852', '474523']);
});

const [, ...lines] = readFileSync(new URL('fixtures/claim-texts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const TEXTS = lines.map((line) => line.split('\t') as [hidden: 'yes' | 'no', text: string]);
const textsThat = (are: 'yes' | 'no') => TEXTS.filter(([hidden]) => hidden === are).map(([, text]) => text);

test('the fixtures contain sixty claim texts with contact details and sixty without', () => {
  expect([textsThat('yes').length, textsThat('no').length]).toEqual([60, 60]);
});

test.each(textsThat('yes'))('contact details are removed from the claim’s text: %s', (text) => {
  const shown = hideAnyContact(text);
  expect(shown).toContain('•••');
  // No phone number, link or account name remains.
  expect(shown.normalize('NFKC').replace(/[^\p{Nd}]/gu, '').length).toBeLessThan(6);
  expect(shown).not.toMatch(/wa\.|t\.me|https?:|@|facebook|instagram|gmail/);
});

test.each(textsThat('no'))('a claim’s text without contact details stays unchanged: %s', (text) => {
  expect(hideAnyContact(text)).toBe(text);
});

test('if a phone number or link is removed from a claim’s text, the rest of the text stays', () => {
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
])('the text of a claim is recognised as speaking of money: %s', (text) => {
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
])('the text of a claim is not recognised as speaking of money: %s', (text) => {
  expect(speaksOfMoney(text)).toBe(false);
});
