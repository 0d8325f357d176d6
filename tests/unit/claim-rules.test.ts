import { expect, test } from 'vitest';
import { CLAIM_ROLES, CLAIM_STATES, CLAIM_STATUSES, CLAIM_STEPS, type ClaimState } from '#contract/claims.ts';
import { nextState, statusFor } from '#worker/claims/claim-rules.ts';
import { deriveHandoverCode } from '#worker/claims/handover-code.ts';

const NO = 'wrong_state';

/** For each state, where each step leads. A step of the other party is always refused. */
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

test('the walk is whole', () => {
  expect(WALK).toHaveLength(9 * 7 * 2);
  expect(Object.keys(EXPECTED).sort()).toEqual([...CLAIM_STATES].sort());
});

test.each(WALK)('$state, $step by the $role', ({ state, step, role }) => {
  expect(nextState(state, step, role)).toBe(EXPECTED[state][`${role} ${step}`] ?? NO);
});

test('a decline that can be undone is read by its finder alone', () => {
  for (const status of CLAIM_STATUSES) for (const role of CLAIM_ROLES) expect(statusFor(role, status)).toBe(status);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining'))).toEqual(['declined', 'waiting']);
  expect(CLAIM_ROLES.map((role) => statusFor(role, 'declining_asked'))).toEqual(['declined', 'asked']);
});

test('the code of a claim is six digits, and a release changes none that was told already', () => {
  const ids = ['dai-la-kwanza', 'dai-la-pili'];
  expect(ids.map((id) => deriveHandoverCode('siri', id))).toEqual(['113852', '474523']);
});
