import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { pageQuerySchema } from '#contract/paging.ts';
import {
  newPostSchema,
  type Post,
  type PostEntry,
  type PostListQuery,
  postInputSchema,
  postListQuerySchema,
} from '#contract/posts.ts';
import { closeClaimsOf } from '#worker/claims/index.ts';
import { idsOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { forgetPosts, keepAtEdge, withEtag } from '#worker/http/edge-cache.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deriveKind, findMatches, matchPost } from '#worker/matching/index.ts';
import { endCases, reopenEdited, tellAdmins } from '#worker/moderation/index.ts';
import { deliverNotices, withdrawNotices } from '#worker/notices/index.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { listOwnPosts, listPosts, type Page } from './list-store.ts';
import { NO_NUMBERS } from './number-rules.ts';
import { numberReaderOf } from './number-store.ts';
import { assertAuthor, assertNotSuspended, assertVisible, type CommunityForViewer, presentPost } from './post-rules.ts';
import { deletePost, findPost, openPost } from './store.ts';

/** New posts appear in visitors' lists after this time. */
const LIST_KEPT_SECONDS = 15;

export const postRoutes = new Hono<AppEnv>()
  .get('/', withEtag, validate('query', postListQuerySchema), async (c) => {
    const query = c.req.valid('query');
    assertSignedIn(c, query);
    const { community, page, numbers } = await listPosts(numberReaderOf(c), query);
    assertMember(query, community);
    if (!c.var.viewer) shareList(c, page);
    return answerPage(c, page, numbers);
  })
  .get('/by-owner', requireViewer, validate('query', pageQuerySchema), async (c) =>
    answerPage(c, await listOwnPosts(c.var.db, c.var.viewer, c.req.valid('query'))),
  )
  .get('/:id', async (c) => {
    const { row, numbers } = await openPost(numberReaderOf(c), c.req.param('id'));
    return c.json(presentPost(assertVisible(row, c.var.viewer), c.var, numbers) satisfies Post);
  })
  .get('/:id/matches', requireViewer, async (c) =>
    c.json(await findMatches(c.env, numberReaderOf(c), c.var.viewer, c.req.param('id'))),
  )
  .post('/', requireViewer, requireJson, validate('json', newPostSchema), async (c) => {
    const { db, viewer } = c.var;
    const input = c.req.valid('json');
    const { row, isNew } = await createPost(c, viewer, input, deriveKind);
    if (isNew) continueAfterAnswer(c, matchPost(c.env, db, row.id));
    return c.json(presentPost(row, c.var) satisfies Post, 201);
  })
  .put('/:id', requireViewer, requireJson, validate('json', postInputSchema), async (c) => {
    const { db, viewer } = c.var;
    const [postId, now] = [c.req.param('id'), Date.now()];
    const input = c.req.valid('json');
    const row = await changePost(c, viewer, {
      postId,
      input,
      deriveKind,
      reopen: reopenEdited(db, { postId, authorId: viewer.userId, now }),
      now,
    });
    continueAfterAnswer(c, row.hidden_by === 0 ? matchPost(c.env, db, row.id) : tellAdmins(c.env, db, now));
    return c.json(presentPost(row, c.var) satisfies Post);
  })
  .delete('/:id', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const { id } = assertAuthor(await findPost(db, viewer, c.req.param('id')), viewer);
    const now = Date.now();
    const noticeIds = await deletePost(db, viewer, id, {
      withdraw: withdrawNotices,
      endCases,
      claims: closeClaimsOf(db, sql`${id}`, now),
      now,
    });
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    forgetPosts(c, [id]);
    return c.body(null, 204);
  });

/** @throws AppError unauthorized when a visitor requests a community's posts. */
function assertSignedIn(c: AppContext, { community_code }: PostListQuery): void {
  if (community_code !== null && !c.var.viewer) throw new AppError('unauthorized');
}

/** @throws AppError not_a_member, community_suspended. */
function assertMember({ community_code }: PostListQuery, community: CommunityForViewer | undefined): void {
  if (community_code === null) return;
  if (community?.is_member !== 1) throw new AppError('not_a_member');
  assertNotSuspended(community);
}

/** All visitors see the same list, without numbers. Requests with a token are never answered from the cache. */
function shareList(c: AppContext, { rows }: Page): void {
  c.header('Cache-Control', 'public, max-age=0, must-revalidate');
  c.header('Vary', 'Authorization');
  keepAtEdge(c, LIST_KEPT_SECONDS, { postIds: idsOf(rows) });
}

/** A list of wrapped posts (docs/product.md P2). */
function answerPage(c: AppContext, { rows, nextCursor }: Page, numbers = NO_NUMBERS) {
  linkNextPage(c, nextCursor);
  return c.json(rows.map((row): PostEntry => ({ Post: presentPost(row, c.var, numbers) })));
}
