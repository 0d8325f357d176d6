import { type SQL, sql } from 'drizzle-orm';
import type { PostInput, PostKind } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { FROM_POSTS, isMatchedAlike, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';

/** For `update … set`: what the author says now or, where they say nothing, has said before; else what the text says. */
export function kindAssignments({ kind }: PostInput, readKind: PostKind): SQL {
  const own = kind === undefined ? sql.raw('own_kind') : sql`${kind}`;
  return sql`own_kind = ${own}, kind = coalesce(${own}, ${readKind})`;
}

/** Posts from before there were kinds, the newest first. */
export function listWithoutKind(db: Db, limit: number): Promise<PostRow[]> {
  return queryRows(db, postRow)`
    select ${POST_COLUMNS} ${FROM_POSTS} where p.kind is null order by p.seq desc limit ${limit}`;
}

/** Statement: keeps what the post's text says that it is about, if its author has not said otherwise or changed it. */
export function renewKind(db: Db, post: PostRow, readKind: PostKind) {
  return db.repeatable.run(sql`
    update posts set kind = coalesce(own_kind, ${readKind})
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kind is not coalesce(own_kind, ${readKind})`);
}
