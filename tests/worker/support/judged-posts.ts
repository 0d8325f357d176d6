import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { Confidence } from '#contract/matching.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { readPending } from '#worker/matching/store.ts';
import { storePairs } from '#worker/matching/write-pairs.ts';
import { tellMailboxes } from '#worker/notices/index.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow } from '#worker/posts/index.ts';
import { savePost } from './saved-posts.ts';

/** With which posts, how certainly, and how well. */
export type Verdicts = Record<string, Confidence | { confidence: Confidence; score: number }>;

/** A post that was matched with nothing. */
export async function saveMatched(author: { id: string }, posted_by: 'owner' | 'finder'): Promise<string> {
  const id = await savePost(author, { posted_by, title: 'Mwavuli' });
  await env.DB.prepare('update posts set match_pending_since = null where id = ?').bind(id).run();
  return id;
}

/** Matches the post with the others as if the engine had judged so, which must not matter where this is used. */
export async function judge(postId: string, verdicts: Verdicts, bindings: Env = env): Promise<void> {
  const db = openDb(bindings);
  const now = Date.now();
  await db.run(sql`update posts set match_pending_since = ${now} where id = ${postId}`);
  const post = await readPending(db, postId);
  if (!post) throw new Error('The post is not there, or not open');
  const candidates = await db.all<PostRow>(sql`
    select ${POST_COLUMNS} ${FROM_POSTS} where p.id in (select value from json_each(${JSON.stringify(Object.keys(verdicts))}))`);
  const matches = candidates.map((candidate) => {
    const verdict = verdicts[candidate.id] ?? 'sure';
    const { confidence, score } = typeof verdict === 'string' ? { confidence: verdict, score: 0.5 } : verdict;
    return { candidate: { ...candidate, shares_identifier: 0 as const }, confidence, score, reasons: [] };
  });
  const judgement = { post, matches, config: readConfig(bindings), startedAt: now, now: Date.now() };
  await tellMailboxes(bindings, db, await storePairs(db, judgement));
}
