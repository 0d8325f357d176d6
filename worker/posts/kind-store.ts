import { sql } from 'drizzle-orm';
import type { PostInput, PostKind } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { assignments, type Changes, isMatchedAlike, type StoredPost } from './post-columns.ts';
import { type Searched, searchTextsOf } from './search-texts.ts';

/**
 * For `assignments`: the kind, and the search texts, which depend on it. The kind is what the author states now or has
 * stated before; otherwise it is derived from the text.
 */
export function kindValues(
  input: Searched & Pick<PostInput, 'kind'>,
  readKind: PostKind,
  communityId: string | null,
): Changes {
  const own = input.kind === undefined ? sql.raw('own_kind') : sql`${input.kind}`;
  const kind = sql`coalesce(${own}, ${readKind})`;
  const [document, other] = [
    searchTextsOf(input, 'document', communityId),
    searchTextsOf(input, 'other', communityId),
  ] as const;
  const text = (column: keyof typeof document) => sql`iif(${kind} = 'document', ${document[column]}, ${other[column]})`;
  return {
    own_kind: own,
    kind,
    ...document,
    reader_text: text('reader_text'),
    visitor_text: text('visitor_text'),
  };
}

/** Statement: stores the kind derived from the post's text, unless its author has stated one or edited the post. */
export function renewKind(db: Db, post: StoredPost, readKind: PostKind) {
  return db.repeatable.run(sql`
    update posts set ${assignments(kindValues({ ...post, kind: undefined }, readKind, post.community_id))}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind <> coalesce(own_kind, ${readKind})`);
}
