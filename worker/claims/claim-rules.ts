import { CLAIM_STATES, type ClaimRole, type ClaimState, type ClaimStatus, type ClaimStep } from '#contract/claims.ts';
import type { ClaimNews } from '#worker/notices/keep-notice.ts';

/**
 * The state machine of a claim: who may take each step, in which states the step is allowed, and which state follows.
 * In all other states the step fails with `wrong_state`. One transition needs no step: a declining claim becomes
 * declined at `decline_due_at`.
 */
export const TABLE = {
  ask: { by: 'finder', moves: { waiting: 'asked' } },
  reply: { by: 'claimant', moves: { asked: 'waiting', declining_asked: 'declining' } },
  accept: { by: 'finder', moves: { waiting: 'accepted', asked: 'accepted' } },
  decline: { by: 'finder', moves: { waiting: 'declining', asked: 'declining_asked', accepted: 'declined' } },
  undo: { by: 'finder', moves: { declining: 'waiting', declining_asked: 'asked' } },
  withdraw: {
    by: 'claimant',
    moves: {
      waiting: 'withdrawn',
      asked: 'withdrawn',
      accepted: 'withdrawn',
      declining: 'withdrawn',
      declining_asked: 'withdrawn',
    },
  },
  'hand-over': { by: 'finder', moves: { accepted: 'handed_over' } },
} as const satisfies Record<ClaimStep, { by: ClaimRole; moves: Partial<Record<ClaimState, ClaimState>> }>;

/** A claim's status while its decline can be undone: the finder sees a declined claim, the claimant an open one. */
const DECLINING: Partial<Record<ClaimState, Record<ClaimRole, ClaimStatus>>> = {
  declining: { finder: 'declined', claimant: 'waiting' },
  declining_asked: { finder: 'declined', claimant: 'asked' },
};

export function statusFor(role: ClaimRole, state: ClaimState): ClaimStatus {
  return DECLINING[state]?.[role] ?? (state as ClaimStatus);
}

export function movesOf(step: ClaimStep): [from: ClaimState, to: ClaimState][] {
  const moves: Partial<Record<ClaimState, ClaimState>> = TABLE[step].moves;
  return CLAIM_STATES.flatMap((from) => (moves[from] ? [[from, moves[from]]] : []));
}

export function nextState(state: ClaimState, step: ClaimStep, by: ClaimRole): ClaimState | 'wrong_state' {
  if (TABLE[step].by !== by) return 'wrong_state';
  return movesOf(step).find(([from]) => from === state)?.[1] ?? 'wrong_state';
}

/** The steps that a finder cannot take while the post is hidden, because they could be used to cheat the claimant. */
const NEEDS_SHOWN_POST: readonly ClaimStep[] = ['ask', 'accept', 'hand-over'];

/** Whether the step must wait until the post is visible again. */
export function waitsForPost(step: ClaimStep): boolean {
  return NEEDS_SHOWN_POST.includes(step);
}

/** Whether a hidden post pauses the claim. A claim that has ended without a hand-over cannot be paused. */
export function canBePaused(status: ClaimStatus): boolean {
  return !['declined', 'withdrawn', 'closed'].includes(status);
}

/**
 * Which party is notified of each step, and with which notice. The notice of a decline waits until the decline is
 * final.
 */
export const NEWS: Partial<Record<'claim' | ClaimStep, Omit<ClaimNews, 'which'>>> = {
  claim: { type: 'claim_received', to: 'finder' },
  ask: { type: 'claim_asked', to: 'claimant' },
  reply: { type: 'claim_replied', to: 'finder' },
  accept: { type: 'claim_accepted', to: 'claimant' },
  decline: { type: 'claim_declined', to: 'claimant' },
  withdraw: { type: 'claim_withdrawn', to: 'finder' },
  'hand-over': { type: 'handed_over', to: 'claimant' },
};

/**
 * Words about money, in both languages. A text with such a word gets a warning, because nobody has to pay before a
 * hand-over.
 */
const WORDS = [
  'pesa|hela|fedha|nauli|malipo|gharama|ada|ujira|vocha|muamala|wakala|lipa namba',
  '\\p{L}{0,9}lip(?:a|e|ia|ie|wa|we)',
  'shilingi|tshs?|tzs|shs?|ksh|usd|dola|m-?pesa|tigo ?pesa|airtel money|halo-?pesa|mixx',
  '(?:ni|uni|tu|uta)?tum(?:a|e|ia|ie) (?:kwanza )?(?:elfu|laki|\\d)',
  'money|cash|pay|pays|paid|paying|payments?|fees?|fare|deposit|transfer|bribe|rewards?|airtime|voucher|control number',
  'shillings?|dollars?|bucks|send (?:me )?(?:first )?\\d',
].join('|');

const MONEY = new RegExp(
  `(?<!\\p{L})(?:${WORDS})(?!\\p{L})|[$£€] ?\\d|\\d(?: ?\\/[=-]| ?(?:elfu|laki|tshs?|tzs)|k)(?!\\p{L})`,
  'iu',
);

/** Whether a text mentions money. Such texts are delivered, but with a warning. */
export function speaksOfMoney(text: string): boolean {
  return MONEY.test(text.normalize('NFKC').replace(/\s+/g, ' '));
}
