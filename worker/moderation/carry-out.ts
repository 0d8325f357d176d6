import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import { matchPost } from '#worker/matching/index.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import type { Aftermath } from './decide-store.ts';

/** The first of a person's posts, which may be a thousand; the sweep matches the rest. */
const MATCHED_NOW_MAX = 20;

/** After the answer: delivers notices, and matches restored posts again. The sweep finishes what is left or interrupted. */
export function carryOut(c: AppContext, { noticeIds, postsToMatch, hiddenPosts = [] }: Aftermath): void {
  const { env } = c;
  continueAfterAnswer(c, deliverNotices(env, c.var.db, noticeIds));
  forgetPosts(c, hiddenPosts);
  continueAfterAnswer(c, matchInTurn(env, c.var.db, postsToMatch.slice(0, MATCHED_NOW_MAX)));
}

async function matchInTurn(env: Env, db: Db, postIds: string[]): Promise<void> {
  for (const postId of postIds) await matchPost(env, db, postId);
}
