import type { Claim } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { callApi, newPost, type Person } from './e2e-people.ts';

/** A found wallet that its finder knows more of than the post says. */
export function newFoundWallet(finder: Person): Promise<Post> {
  return newPost(finder, {
    title: `Pochi ya ngozi ${crypto.randomUUID().slice(0, 6)}`,
    description: '',
    claim_question: 'Ndani kuna nini?',
    private_marks: 'Picha ya mtoto na ufunguo mmoja mdogo',
  });
}

export function newClaim(claimant: Person, post: Pick<Post, 'id'>, answer = 'Kuna pesa tu'): Promise<Claim> {
  return callApi('POST', `/api/posts/${post.id}/claims`, { body: { answer }, token: claimant.token });
}
