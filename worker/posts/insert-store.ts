import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { NewPostInput, PostKind } from '#contract/posts.ts';
import { mayPostInto } from '#worker/communities/index.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, isKey, releaseKey } from '#worker/db/idempotency.ts';
import { idRow, queryRows, type RowOf } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countEachIf, haveRoom, readCounts } from '#worker/limits/allowance.ts';
import { type Digests, readIdentifierStanding } from './identifier-store.ts';
import { FROM_POSTS, type NewRow, POST_COLUMNS, writtenValues } from './post-columns.ts';
import { postRowForViewer } from './post-rules.ts';
import { searchTextsOf } from './search-texts.ts';
import { selectCommunity } from './store.ts';
import { hidingIn, idOf, isOpen, isShownTo } from './visibility.ts';

/** An idempotency key with its post, or with nulls if the post has been deleted. */
const keyRow = () => {
  const digest = z.nullable(z.string());
  return z.union([
    z.object({ ...postRowForViewer().shape, body_digest: digest }),
    z.looseObject({ id: z.null(), body_digest: digest }),
  ]);
};
export type KeyRow = RowOf<typeof keyRow>;

type Request = {
  communityCode: string | null;
  answersPostId: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowances: Allowance[];
  now: number;
};

/** Reads everything that is needed before a post is written, in one round trip. */
export async function readForInsert(db: Db, viewer: Viewer, request: Request) {
  const [[community], [answered], [standing], counted, [earlier]] = await readAs(db, viewer, [
    selectCommunity(db, viewer, request.communityCode),
    selectAnswerable(db, viewer, request.answersPostId),
    readIdentifierStanding(db, viewer, '', null),
    readCounts(db, request.allowances, request.now),
    queryRows(db, keyRow)`${selectByKey(viewer, request.idempotencyKey, request.now)}`,
  ]);
  return { community, isAnswerable: answered !== undefined, isProven: standing?.is_proven === 1, counted, earlier };
}

/** Statement: the post, if a finder may answer it with "I found this". */
function selectAnswerable(db: Db, viewer: Viewer, postId: string | null) {
  const me = idOf(viewer);
  return queryRows(db, idRow)`
    select p.id from posts p where p.id = ${postId} and p.posted_by = 'owner' and p.author_id <> ${me}
      and ${isOpen('p')} and ${isShownTo('p', me)}`;
}

export type NewPost = {
  input: NewPostInput;
  /** The kind derived from its text. */
  readKind: PostKind;
  digests: Digests;
  communityId: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowances: Allowance[];
  now: number;
};

/**
 * Writes the post once per key: of two requests with the same key the first creates it, and both get it.
 * @returns the post, whether this request created it, and the counts. There is no post if a limit was reached meanwhile,
 * or if the key's post was deleted.
 */
export async function insertPost(db: Db, viewer: Viewer, post: NewPost) {
  const id = newId();
  const { idempotencyKey, allowances, now } = post;
  const isMade = sql`exists (select 1 from posts where id = ${id})`;
  const isInside = mayPostInto(sql`${post.communityId}`, idOf(viewer));
  const isAllowed = sql`(${hasClaimed(viewer, idempotencyKey, id)} and ${haveRoom(allowances, now)}
    and (${post.communityId} is null or ${isInside}))`;
  const [, , , , [row], counted] = await publishAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(insertWhere(viewer, post, id, isAllowed)),
    countEachIf(db, allowances, isMade, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    queryRows(db, keyRow)`${idempotencyKey === null ? selectNew(id) : selectByKey(viewer, idempotencyKey, now)}`,
    readCounts(db, allowances, now),
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

function insertWhere(viewer: Viewer, post: NewPost, id: string, condition: SQL): SQL {
  const { input, readKind, digests, communityId, now } = post;
  const kind = input.kind ?? readKind;
  const hiddenBy = hidingIn(communityId);
  const row: { [Name in keyof NewRow]: NewRow[Name] | SQL } = {
    id,
    author_id: viewer.userId,
    community_id: communityId,
    ...writtenValues(input),
    kind,
    own_kind: input.kind ?? null,
    identifiers: digests ?? null,
    answers_post_id: input.answers_post_id ?? null,
    ...searchTextsOf(input, kind, communityId),
    created_at: now,
    changed_at: now,
    hidden_by: hiddenBy,
    match_pending_since: sql`iif(${hiddenBy} = 0, ${now}, null)`,
  };
  const columns = sql.raw(Object.keys(row).join(', '));
  const values = Object.values(row).map((value) => sql`${value}`);
  return sql`insert into posts (${columns}) select ${sql.join(values, sql`, `)} where ${condition}`;
}
