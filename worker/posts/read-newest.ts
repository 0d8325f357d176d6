import { type PostEntry, postListQuerySchema } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config } from '#worker/env.ts';
import { listPosts } from './list-store.ts';
import { presentPost } from './post-rules.ts';

/** The posts, newest first, as visitors see them: without numbers, and without counting. */
export async function readNewest(
  db: Db,
  config: Config,
  limit: number,
): Promise<{ entries: PostEntry[]; nextCursor: number | null }> {
  const visitor = { db, config, viewer: null };
  const query = postListQuerySchema.parse({ limit: String(limit) });
  const { page } = await listPosts({ ...visitor, networks: [], limits: null }, query);
  return { entries: page.rows.map((row) => ({ Post: presentPost(row, visitor) })), nextCursor: page.nextCursor };
}
