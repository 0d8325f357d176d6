import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PostKind } from '#contract/kinds.ts';
import type { NewPostInput } from '#contract/posts.ts';
import { mayPostInto } from '#worker/conditions/communities.ts';
import { idOf } from '#worker/conditions/people.ts';
import { hidingIn, isOpen, isShownTo } from '#worker/conditions/posts.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { idRow, queryFirst, type RowOf } from '#worker/db/statements.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import {
  assertSameBody,
  hasReservedKey,
  type IdempotencyKey,
  isKey,
  readIdempotencyKey,
  releaseKey,
  reserveKey,
} from '#worker/http/idempotency.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  type Allowance,
  allowanceOf,
  assertRooms,
  countEachIf,
  haveRoom,
  readCounts,
} from '#worker/limits/allowance.ts';
import { deriveKind, matchPost } from '#worker/matching/match-post.ts';
import { chooseCommunity, selectCommunity } from './find-post.ts';
import { type Digests, digestIdentifiers, readIdentifierStanding } from './identifiers.ts';
import { FROM_POSTS, type NewRow, POST_COLUMNS, type PostRow, writtenValues } from './post-columns.ts';
import { postRowForViewer } from './present-post.ts';
import { searchTextsOf } from './search-texts.ts';

/**
 * Creates a post and matches it after the response. If an earlier request with the same `Idempotency-Key` has created a
 * post, returns this post.
 * @throws AppError idempotency_mismatch if the key was used with another body; idempotency_conflict if the key's post
 * has been deleted; validation_failed if `answers_post_id` is not the id of another person's open lost post;
 * too_many_requests; and what `chooseCommunity` throws.
 */
export async function createPost(c: AppContext, viewer: Viewer, input: NewPostInput): Promise<PostRow> {
  const { row, isNew } = await createOnce(c, viewer, input);
  if (isNew) continueAfterAnswer(c, matchPost(c.env, c.var.db, row.id));
  return row;
}

async function createOnce(
  c: AppContext,
  viewer: Viewer,
  input: NewPostInput,
): Promise<{ row: PostRow; isNew: boolean }> {
  const { db, config } = c.var;
  const now = Date.now();
  const digests = digestIdentifiers(config, input);
  const answersPostId = input.answers_post_id ?? null;
  const ofDay = allowanceOf(config, 'post', viewer.userId);
  const answering = answersPostId === null ? [] : [allowanceOf(config, 'answering_post', viewer.userId)];
  const allowedUnproven = digests ? [allowanceOf(config, 'post_with_identifiers', viewer.userId)] : [];
  const idempotencyKey = await readIdempotencyKey(c);
  const before = await readForInsert(db, viewer, {
    communityCode: input.community_code,
    answersPostId,
    idempotencyKey,
    allowances: [ofDay, ...answering, ...allowedUnproven],
    now,
  });
  if (before.earlier) return { row: assertRepeated(before.earlier, idempotencyKey), isNew: false };
  const communityId = chooseCommunity(input.community_code, before.community);
  if (answersPostId !== null && !(before.isAnswerable && input.posted_by === 'finder'))
    throw invalidField('answers_post_id', 'answered_post_invalid');
  // A community's admins also post the things that people hand in at a desk, so the admins have a higher limit.
  const isAtDesk = communityId !== null && before.community?.is_admin === 1;
  const ofPlace = isAtDesk ? allowanceOf(config, 'desk_post', `${viewer.userId} ${communityId}`) : ofDay;
  const allowances = [ofPlace, ...answering, ...(before.isProven ? [] : allowedUnproven)];
  assertRooms(allowances, before.counted, now);
  // Reads the kind after the limits are checked, because reading the kind from the text takes time.
  const post = { input, readKind: deriveKind(input), digests, communityId, idempotencyKey, allowances, now };
  const written = await insertPost(db, viewer, post);
  if (written.row) return { row: assertRepeated(written.row, idempotencyKey), isNew: written.isNew };
  // Nothing was written: since `readForInsert`, the author has reached a limit or is no longer in the community.
  assertRooms(allowances, written.counted, now);
  throw new AppError(communityId === null ? 'idempotency_conflict' : 'not_a_member');
}

/**
 * Returns the post that an earlier request with the key has created.
 * @throws AppError if the earlier request had another body, or if the post has been deleted.
 */
function assertRepeated(row: KeyRow, idempotencyKey: IdempotencyKey | null): PostRow {
  assertSameBody(row, idempotencyKey);
  if (row.id === null) throw new AppError('idempotency_conflict');
  return row;
}

/**
 * The row of an idempotency key and the post that the key has created. The post's columns are null if it was deleted.
 */
const keyRow = () => {
  const digest = z.nullable(z.string());
  return z.union([
    z.object({ ...postRowForViewer().shape, body_digest: digest }),
    z.looseObject({ id: z.null(), body_digest: digest }),
  ]);
};
type KeyRow = RowOf<typeof keyRow>;

type Request = {
  communityCode: string | null;
  answersPostId: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowances: Allowance[];
  now: number;
};

/** Reads all data that is needed before a post is written, in one round trip. */
async function readForInsert(db: Db, viewer: Viewer, request: Request) {
  const { community, answered, standing, counted, earlier } = await readAs(db, viewer, {
    community: selectCommunity(db, viewer, request.communityCode),
    answered: selectAnswerable(db, viewer, request.answersPostId),
    standing: readIdentifierStanding(db, viewer, '', null),
    counted: readCounts(db, request.allowances, request.now),
    earlier: queryFirst(db, keyRow)`${selectByKey(viewer, request.idempotencyKey, request.now)}`,
  });
  return { community, isAnswerable: answered !== undefined, isProven: standing?.is_proven === 1, counted, earlier };
}

/** Statement: selects the post, if it is a lost post that a finder may answer with "I found this". */
function selectAnswerable(db: Db, viewer: Viewer, postId: string | null) {
  const me = idOf(viewer);
  return queryFirst(db, idRow)`
    select p.id from posts p where p.id = ${postId} and p.posted_by = 'owner' and p.author_id <> ${me}
      and ${isOpen('p')} and ${isShownTo('p', me)}`;
}

type NewPost = {
  input: NewPostInput;
  /** The kind that the Worker has read from the post's text. */
  readKind: PostKind;
  digests: Digests;
  communityId: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowances: Allowance[];
  now: number;
};

/**
 * Writes the post once per key: if an earlier request with the same key has created a post, returns that post.
 * @returns the post, whether this request created it, and the counts for the limits. The post is missing if the author
 * has reached a limit or lost their membership since `readForInsert`, or if the post of the key was deleted.
 */
async function insertPost(db: Db, viewer: Viewer, post: NewPost) {
  const id = newId();
  const { idempotencyKey, allowances, now } = post;
  const isMade = sql`exists (select 1 from posts where id = ${id})`;
  const isInside = mayPostInto(sql`${post.communityId}`, idOf(viewer));
  const isAllowed = sql`(${hasReservedKey(viewer, idempotencyKey, id)} and ${haveRoom(allowances, now)}
    and (${post.communityId} is null or ${isInside}))`;
  const { row, counted } = await publishAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    insertPost: db.run(insertWhere(viewer, post, id, isAllowed)),
    count: countEachIf(db, allowances, isMade, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    row: queryFirst(db, keyRow)`${idempotencyKey === null ? selectNew(id) : selectByKey(viewer, idempotencyKey, now)}`,
    counted: readCounts(db, allowances, now),
  });
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
