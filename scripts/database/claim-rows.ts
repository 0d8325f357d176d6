import type { ClaimRole, ClaimState, ClaimStep } from '#contract/claims.ts';
import { NEWS, nextState, TABLE } from '#worker/claims/claim-rules.ts';
import { speaksOfMoney } from '#worker/claims/money-rules.ts';
import type { claimSteps, claims, notices, posts } from '#worker/db/schema.ts';
import { newId } from '#worker/identity/ids.ts';
import type { DemoClaim } from './demo-claims.ts';
import { DEMO_USERS } from './demo-people.ts';

type PostRow = typeof posts.$inferInsert;

/** A claim, its steps, which must be valid by the Worker's own table, and the notices about them. */
export function claimRows(
  { claimant, answer, ageMs, steps }: DemoClaim,
  post: PostRow,
  claimantId: string,
  now: number,
) {
  const id = newId();
  const taken: Taken[] = [{ step: 'claim', by: 'claimant', text: null, at: now - ageMs }, ...steps.map(toTaken(now))];
  const timeOf = (name: string) => taken.find(({ step }) => step === name)?.at ?? null;
  const updatedAt = taken.at(-1)?.at ?? now;
  const claim: typeof claims.$inferInsert = {
    id,
    postId: post.id,
    postTitle: post.title,
    postKind: post.kind,
    finderId: post.authorId,
    claimantId,
    question: post.claimQuestion,
    privateMarks: post.privateMarks,
    answer,
    phoneNumber: DEMO_USERS[claimant].phone,
    state: stateAfter(steps),
    acceptedAt: timeOf('accept'),
    handedOverAt: timeOf('hand-over'),
    createdAt: now - ageMs,
    finderUpdatedAt: updatedAt,
    claimantUpdatedAt: updatedAt,
  };
  const people = { finder: post.authorId, claimant: claimantId };
  return {
    claim,
    stepRows: taken.map((step) => toStepRow(step, id)),
    noticeRows: taken.flatMap((step) => toNoticeRow(step, id, people, updatedAt)),
  };
}

type Taken = { step: 'claim' | ClaimStep; by: ClaimRole; text: string | null; at: number };

function toStepRow({ step, by, text, at }: Taken, claimId: string): typeof claimSteps.$inferInsert {
  const isAboutMoney = text !== null && speaksOfMoney(text);
  return { id: newId(), claimId, step, by, text, isAboutMoney, finderAt: at, claimantAt: at };
}

/** Notices of all but the last step count as delivered and read; the first sweep delivers the last one. */
function toNoticeRow(
  { step, at }: Taken,
  claimId: string,
  people: Record<ClaimRole, string>,
  updatedAt: number,
): (typeof notices.$inferInsert)[] {
  const news = NEWS[step];
  if (!news) return [];
  const deliveredAt = at === updatedAt ? null : at;
  return [
    {
      id: newId(),
      recipientId: people[news.to],
      type: news.type,
      claimId,
      createdAt: at,
      deliveredAt,
      acknowledgedAt: deliveredAt,
      readAt: deliveredAt,
    },
  ];
}

function toTaken(now: number) {
  return ({ step, text, ageMs }: DemoClaim['steps'][number]) => ({
    step,
    by: TABLE[step].by,
    text: text ?? null,
    at: now - ageMs,
  });
}

/** @throws Error if the table does not allow a step. */
function stateAfter(steps: DemoClaim['steps']): ClaimState {
  return steps.reduce<ClaimState>((state, { step }) => {
    const next = nextState(state, step, TABLE[step].by);
    if (next === 'wrong_state') throw new Error(`Nobody can ${step} a claim that is ${state}`);
    return next;
  }, 'waiting');
}
