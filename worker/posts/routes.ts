import { Hono } from 'hono';
import { pageQuerySchema } from '#contract/fields.ts';
import {
  newPostSchema,
  outcomeInputSchema,
  type Post,
  type PostEntry,
  type PostListQuery,
  postInputSchema,
  postListQuerySchema,
  SEARCH_PARTS,
} from '#contract/posts.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import { idsOf } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, type AppEnv, linkNextPage } from '#worker/http/context.ts';
import { keepAtEdge, withEtag } from '#worker/http/edge-cache.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { findMatches } from '#worker/matching/list-matches.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { deletePost, endPost, undoFound, wakePost } from './end-post.ts';
import { assertNotSuspended, assertVisible, type CommunityForViewer, openPost } from './find-post.ts';
import { numberReaderOf } from './give-numbers.ts';
import { type ListedRow, listOwnPosts, listPosts, type Page } from './list-posts.ts';
import type { PostRow } from './post-columns.ts';
import { NO_NUMBERS, presentPost } from './present-post.ts';
import { type MeaningSearch, reasonsOf } from './search-meaning.ts';

/** How long Cloudflare caches the lists that visitors see. A new post may be missing from these lists for this long. */
const LIST_KEPT_SECONDS = 15;

export const postRoutes = new Hono<AppEnv>()
  .get('/', withEtag, validate('query', postListQuerySchema), async (c) => {
    const query = c.req.valid('query');
    assertSignedIn(c, query);
    const { community, page, numbers, meaning } = await listPosts(numberReaderOf(c), query);
    assertMember(query, community);
    if (!c.var.viewer) shareList(c, page);
    linkNextPage(c, page.nextCursor);
    const isSearched = splitSearch(query.search).length > 0;
    return c.json(
      page.rows.map((row): PostEntry => {
        const post = { Post: presentPost(row, c.var, numbers) };
        return isSearched ? { ...post, ...describeResult(row, meaning) } : post;
      }),
    );
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
  .post('/', requireViewer, requireJson, validate('json', newPostSchema), async (c) =>
    answerPost(c, await createPost(c, c.var.viewer, c.req.valid('json')), 201),
  )
  .put('/:id', requireViewer, requireJson, validate('json', postInputSchema), async (c) =>
    answerPost(c, await changePost(c, c.var.viewer, c.req.param('id'), c.req.valid('json'))),
  )
  .delete('/:id', requireViewer, async (c) => {
    await deletePost(c, c.var.viewer, c.req.param('id'));
    return c.body(null, 204);
  })
  .patch('/:id/found', requireViewer, async (c) =>
    answerPost(c, await endPost(c, c.var.viewer, c.req.param('id'), 'returned')),
  )
  .put('/:id/outcome', requireViewer, requireJson, validate('json', outcomeInputSchema), async (c) =>
    answerPost(c, await endPost(c, c.var.viewer, c.req.param('id'), c.req.valid('json').outcome)),
  )
  .delete('/:id/found', requireViewer, async (c) => answerPost(c, await undoFound(c, c.var.viewer, c.req.param('id'))))
  .post('/:id/wake', requireViewer, async (c) => answerPost(c, await wakePost(c, c.var.viewer, c.req.param('id'))));

function answerPost(c: AppContext, row: PostRow, status: 200 | 201 = 200) {
  return c.json(presentPost(row, c.var) satisfies Post, status);
}

/** Requires that the viewer is signed in, if the list is of a community. @throws AppError unauthorized. */
function assertSignedIn(c: AppContext, { community_code }: PostListQuery): void {
  if (community_code !== null && !c.var.viewer) throw new AppError('unauthorized');
}

/** Requires that the viewer is a member of the list's community. @throws AppError not_a_member, community_suspended. */
function assertMember({ community_code }: PostListQuery, community: CommunityForViewer | undefined): void {
  if (community_code === null) return;
  if (community?.is_member !== 1) throw new AppError('not_a_member');
  assertNotSuspended(community);
}

/**
 * Caches the list for visitors, who all get the same posts, without phone numbers. A request with a token never gets
 * the cached list.
 */
function shareList(c: AppContext, { rows }: Page): void {
  c.header('Cache-Control', 'public, max-age=0, must-revalidate');
  c.header('Vary', 'Authorization');
  keepAtEdge(c, LIST_KEPT_SECONDS, { postIds: idsOf(rows) });
}

/** Answers with a page of a list. Each post is wrapped in a `Post` field (docs/product.md P2). */
function answerPage(c: AppContext, { rows, nextCursor }: Page) {
  linkNextPage(c, nextCursor);
  return c.json(rows.map((row): PostEntry => ({ Post: presentPost(row, c.var, NO_NUMBERS) })));
}

/**
 * Returns which part of the search results contains the post. If the post does not contain the searched words, also
 * returns the reasons why the search found it.
 */
function describeResult({ part, hits }: ListedRow, meaning: MeaningSearch | null): Omit<PostEntry, 'Post'> {
  const found_by = SEARCH_PARTS[part] ?? 'words';
  return found_by === 'words' || meaning === null ? { found_by } : { found_by, reasons: reasonsOf(meaning, hits) };
}
