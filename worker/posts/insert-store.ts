import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PostInput, PostKind } from '#contract/posts.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, isKey, releaseKey } from '#worker/db/idempotency.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { FROM_POSTS, POST_COLUMNS, WRITTEN_COLUMNS, writtenValues } from './post-columns.ts';
import { postRowForViewer } from './post-rules.ts';
import { searchTextsOf } from './search-texts.ts';
import { selectCommunity } from './store.ts';

/** A row of an idempotency key: with its post, or with nulls when that has been deleted. */
const keyRow = () => {
  const digest = z.nullable(z.string());
  return z.union([
    z.object({ ...postRowForViewer().shape, body_digest: digest }),
    z.looseObject({ id: z.null(), body_digest: digest }),
  ]);
};
export type KeyRow = RowOf<typeof keyRow>;

/** What must be known before a post is written, in one round trip. */
export async function readForInsert(
  db: Db,
  viewer: Viewer,
  request: { communityCode: string | null; idempotencyKey: IdempotencyKey | null; allowance: Allowance; now: number },
) {
  const [[community], [counted], [earlier]] = await readAs(db, viewer, [
    selectCommunity(db, viewer, request.communityCode),
    readCount(db, request.allowance, request.now),
    queryRows(db, keyRow)`${selectByKey(viewer, request.idempotencyKey, request.now)}`,
  ]);
  return { community, counted, earlier };
}

export type NewPost = {
  input: PostInput;
  /** What its text says that it is about. */
  readKind: PostKind;
  communityId: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/**
 * Writes the post, once a key: of two requests with one key the first makes the post and both get it.
 * @returns the post, whether this request made it, and what is counted now; no post when the limit was reached
 * meanwhile or when the key's post was deleted meanwhile.
 */
export async function insertPost(db: Db, viewer: Viewer, post: NewPost) {
  const id = newId();
  const { idempotencyKey, allowance, now } = post;
  const isAllowed = sql`${hasClaimed(viewer, idempotencyKey, id)} and ${hasRoom(allowance, now)}`;
  const [, , , , [row], [counted]] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(insertWhere(viewer, post, id, isAllowed)),
    countIf(db, allowance, sql`exists (select 1 from posts where id = ${id})`, now),
    releaseKey(db, viewer, idempotencyKey, id, sql`exists (select 1 from posts where id = ${id})`),
    queryRows(db, keyRow)`${idempotencyKey === null ? selectNew(id) : selectByKey(viewer, idempotencyKey, now)}`,
    readCount(db, allowance, now),
  ]);
  return { row, isNew: row?.id === id, counted };
}

function selectByKey(viewer: Viewer, idempotencyKey: IdempotencyKey | null, now: number): SQL {
  return sql`
    select ${POST_COLUMNS}, 1 as is_opened, k.body_digest from idempotency_keys k
    left join posts p on p.id = k.post_id left join communities c on c.id = p.community_id
    where ${isKey(viewer, idempotencyKey, now)}`;
}

function selectNew(id: string): SQL {
  return sql`select ${POST_COLUMNS}, 1 as is_opened, null as body_digest ${FROM_POSTS} where p.id = ${id}`;
}

function insertWhere(viewer: Viewer, { input, readKind, communityId, now }: NewPost, id: string, condition: SQL): SQL {
  const kind = input.kind ?? readKind;
  const texts = searchTextsOf(input, kind, communityId);
  return sql`
    insert into posts (id, author_id, community_id, ${WRITTEN_COLUMNS}, kind, own_kind, on_behalf, claim_question, private_marks, search_text, reader_text,
      visitor_text, created_at, changed_at, match_pending_since)
    select ${id}, ${viewer.userId}, ${communityId}, ${writtenValues(input)}, ${kind}, ${input.kind ?? null}, ${input.on_behalf === true},
      ${input.claim_question ?? null}, ${input.private_marks ?? null},
      ${texts.search_text}, ${texts.reader_text}, ${texts.visitor_text}, ${now}, ${now}, ${now}
    where ${condition}`;
}
