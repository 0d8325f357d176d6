import * as z from 'zod/mini';
import { CLAIM_ROLES, CLAIM_STATES, CLAIM_STEPS, type Claim, type ClaimRole } from '#contract/claims.ts';
import { DAY_MS } from '#contract/durations.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import { CLAIM_NUMBER_DAYS } from '#contract/limits.ts';
import { flag, type RowOf } from '#worker/db/statements.ts';
import { deriveHandoverCode } from '#worker/identity/codes.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hideAnyContact, redactFor } from '#worker/redaction/redact-for.ts';
import { canBePaused, statusFor } from './claim-rules.ts';

const NUMBERS_SHOWN_MS = CLAIM_NUMBER_DAYS * DAY_MS;

const stepRow = () =>
  z.object({
    step: z.enum(['claim', ...CLAIM_STEPS]),
    by: z.enum(CLAIM_ROLES),
    text: z.nullable(z.string()),
    is_about_money: flag(),
    finder_at: z.nullable(z.number()),
    claimant_at: z.nullable(z.number()),
  });
type StepRow = RowOf<typeof stepRow>;

/** A claim with all data that at least one of the parties may see. */
export const claimRow = () => {
  const words = z.nullable(z.string());
  return z.object({
    id: z.string(),
    post_id: z.string(),
    post_title: words,
    post_kind: z.enum(POST_KINDS),
    finder_id: z.nullable(z.string()),
    claimant_id: z.nullable(z.string()),
    finder_name: words,
    claimant_name: words,
    question: words,
    private_marks: words,
    answer: words,
    state: z.enum(CLAIM_STATES),
    accepted_at: z.nullable(z.number()),
    handed_over_at: z.nullable(z.number()),
    code_locked_until: z.number(),
    claimant_number: words,
    finder_number: words,
    /** Whether one party has blocked the other. */
    are_apart: flag(),
    /** Whether the claim is paused: its post is hidden, or the finder is suspended. */
    is_post_hidden: flag(),
    /** JSON of StepRow[], in the order in which the steps were taken. */
    steps: z.string(),
    created_at: z.number(),
    finder_updated_at: z.number(),
    claimant_updated_at: z.number(),
  });
};
export type ClaimRow = RowOf<typeof claimRow>;

/** The viewer's role in the claim; null if they have none. */
export function roleOf(row: ClaimRow, viewer: Viewer): ClaimRole | null {
  if (row.finder_id === viewer.userId) return 'finder';
  return row.claimant_id === viewer.userId ? 'claimant' : null;
}

/** Returns when the claim last changed for the viewer, who must be one of the parties. */
export function updatedAt(row: ClaimRow, viewer: Viewer): number {
  return roleOf(row, viewer) === 'finder' ? row.finder_updated_at : row.claimant_updated_at;
}

/** Presents what one party may see of a claim (docs/product.md V25, V26, V35). Admins see reported claims in full. */
export function presentClaim(
  row: ClaimRow,
  role: ClaimRole,
  { codeKey, now }: { codeKey: string; now: number },
): Claim {
  const isFinder = role === 'finder';
  const redact = redactClaim(row);
  const known = knownSteps(row, role);
  const status = statusFor(role, row.state);
  const isPaused = row.is_post_hidden === 1 && canBePaused(status);
  return {
    id: row.id,
    post_id: row.post_id,
    post_title: presentTitle(row, role),
    role,
    other_name: redact(isFinder ? row.claimant_name : row.finder_name),
    question: redact(row.question),
    answer: redact(row.answer),
    private_marks: isFinder ? row.private_marks : null,
    status,
    is_paused: isPaused,
    messages: known.flatMap(({ by, text, is_about_money, at }) =>
      text === null
        ? []
        : [{ from: by, text: redact(text) ?? '', is_about_money: is_about_money === 1, created_at: toIso(at) }],
    ),
    history: known.map(({ step, by, at }) => ({ step, by, created_at: toIso(at) })),
    phone_number: !isPaused && areNumbersShown(row, now) ? (isFinder ? row.claimant_number : row.finder_number) : null,
    handover_code: !isFinder && !isPaused && row.state === 'accepted' ? deriveHandoverCode(codeKey, row.id) : null,
    created_at: toIso(row.created_at),
    updated_at: toIso(isFinder ? row.finder_updated_at : row.claimant_updated_at),
  };
}

/** Returns the post's title as this party may see it. */
export function presentTitle({ post_title, post_kind }: Pick<ClaimRow, 'post_title' | 'post_kind'>, role: ClaimRole) {
  return post_title && redactFor(role === 'finder' ? 'author' : 'signed_in', post_kind)(post_title);
}

/** Returns the redaction of a claim's texts: none for an accepted claim, unless one party has blocked the other. */
export function redactClaim({ accepted_at, are_apart }: Pick<ClaimRow, 'accepted_at' | 'are_apart'>) {
  const isWhole = accepted_at !== null && are_apart === 0;
  return (text: string | null) => (text === null || isWhole ? text : hideAnyContact(text));
}

/** Returns the steps that this party knows of, in the order in which the party learned of them. */
function knownSteps({ steps }: ClaimRow, role: ClaimRole): (StepRow & { at: number })[] {
  const known = (JSON.parse(steps) as StepRow[]).flatMap((step) => {
    const at = role === 'finder' ? step.finder_at : step.claimant_at;
    return at === null ? [] : [{ ...step, at }];
  });
  return known.toSorted((one, other) => one.at - other.at);
}

function areNumbersShown({ state, handed_over_at, are_apart }: ClaimRow, now: number): boolean {
  if (are_apart === 1) return false;
  return state === 'accepted' || (state === 'handed_over' && now < (handed_over_at ?? 0) + NUMBERS_SHOWN_MS);
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
