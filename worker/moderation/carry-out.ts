import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import { matchPost } from '#worker/matching/index.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import type { Aftermath } from './decide-store.ts';

/** After the answer: delivers notices, and matches restored posts again. The sweep finishes what is interrupted. */
export function carryOut(c: AppContext, { noticeIds, postsToMatch, hiddenPosts = [] }: Aftermath): void {
  const { env } = c;
  continueAfterAnswer(c, deliverNotices(env, c.var.db, noticeIds));
  forgetPosts(c, hiddenPosts);
  for (const postId of postsToMatch) continueAfterAnswer(c, matchPost(env, c.var.db, postId));
}
