import { HttpResponse, http } from 'msw';
import type { Claim, ClaimMessage } from '#contract/claims.ts';
import { aPost, serveNothingElse } from './posts.ts';
import { renderScreen } from './render-screen.tsx';
import { server } from './setup.ts';

const AT = '2026-11-22T05:00:00.000Z';

/** A message from one party to the other. */
export function aClaimMessage(overrides: Partial<ClaimMessage> = {}): ClaimMessage {
  return {
    from: 'finder',
    text: 'Rangi gani?',
    is_about_money: false,
    created_at: '2026-11-22T06:00:00Z',
    ...overrides,
  };
}

/** A claim, by default as the finder sees it. */
export function aClaim(overrides: Partial<Claim> = {}): Claim {
  return {
    id: 'claim-1',
    post_id: 'post-1',
    post_title: 'Pochi ya ngozi',
    role: 'finder',
    other_name: 'Asha Mwenye',
    question: 'Ndani kuna nini?',
    answer: 'Picha ya mwanangu',
    private_marks: overrides.role === 'claimant' ? null : 'Picha ya mtoto na ufunguo',
    status: 'waiting',
    is_paused: false,
    messages: [],
    history: [{ step: 'claim', by: 'claimant', created_at: AT }],
    phone_number: null,
    handover_code: null,
    created_at: AT,
    updated_at: AT,
    ...overrides,
  };
}

export function step(name: Claim['history'][number]['step'], by: Claim['role'], created_at = AT) {
  return { step: name, by, created_at };
}

type Answer = () => Response | Promise<Response>;

/**
 * Serves a claim. A request that takes a step in the claim gets the changed claim, or a given response.
 * @returns the requested steps with their bodies, and a function that changes the claim as the other party would.
 */
export function serveClaim(first: Claim, answers: Record<string, Partial<Claim> | Answer> = {}) {
  let claim = first;
  const taken: { name: string; body: unknown }[] = [];
  server.use(
    http.get('*/api/claims/:id', () => HttpResponse.json(claim)),
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: claim.post_id, location: 'Mbezi Mwisho' }))),
    http.post('*/api/claims/:id/:step', async ({ request, params }) => {
      const name = String(params.step);
      const text = await request.text();
      taken.push({ name, body: text === '' ? null : JSON.parse(text) });
      const answer = answers[name] ?? {};
      if (typeof answer === 'function') return answer();
      claim = { ...claim, ...answer };
      return HttpResponse.json(claim);
    }),
  );
  return {
    taken,
    change: (changes: Partial<Claim>) => {
      claim = { ...claim, ...changes };
    },
  };
}

export async function openClaim(language: 'en' | 'sw' = 'en') {
  serveNothingElse();
  return renderScreen('/claims/claim-1', { language, isSignedIn: true });
}
