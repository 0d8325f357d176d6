import { Hono } from 'hono';
import {
  approvedListQuerySchema,
  type CommunityQrCode,
  type CommunityStats,
  communityInputSchema,
  communityListQuerySchema,
  type JoinedCommunity,
  joinInputSchema,
} from '#contract/communities.ts';
import { joinLink } from '#contract/join-link.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { readAppOrigin } from '#worker/http/app-origin.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf, assertRoom, assertWithin } from '#worker/limits/allowance.ts';
import { parseCode } from './codes.ts';
import { presentApproved, presentCommunity, presentPage, presentStats } from './community-rules.ts';
import { readPage, readStats } from './detail-store.ts';
import { joinByCode } from './join-store.ts';
import { makeQrCode } from './qr-code.ts';
import { assertJoinable, assertMay } from './step-rules.ts';
import { findCommunity, insertCommunity, listApprovedCommunities, listOwnCommunities } from './store.ts';

export const communityRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, validate('query', communityListQuerySchema), async (c) => {
    const rows = await listOwnCommunities(c.var.db, c.var.viewer, c.req.valid('query').search);
    return c.json(rows.map(presentCommunity));
  })
  .get('/approved', requireViewer, validate('query', approvedListQuerySchema), async (c) => {
    const page = await listApprovedCommunities(c.var.db, c.var.viewer, c.req.valid('query'), Date.now());
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentApproved));
  })
  .post('/', requireViewer, requireJson, validate('json', communityInputSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const now = Date.now();
    const allowance = allowanceOf(config, 'community', viewer.userId);
    const { created, counted } = await insertCommunity(db, viewer, {
      input: c.req.valid('json'),
      language: c.var.language,
      allowance,
      now,
    });
    assertWithin(allowance, counted, now);
    return c.json(created, 201);
  })
  .post('/join', requireViewer, requireJson, validate('json', joinInputSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const now = Date.now();
    const allowance = allowanceOf(config, 'wrong_access_code', viewer.userId);
    const code = parseCode(c.req.valid('json').access_code);
    const { community, counted, hasJoined } = await joinByCode(db, viewer, { code, allowance, now });
    // After too many wrong guesses even a right code has to wait: otherwise guessing could go on.
    if (community) assertRoom(allowance, counted, now);
    else assertWithin(allowance, counted, now);
    const { id, name } = assertJoinable(community);
    if (!hasJoined) throw new AppError('unavailable');
    return c.json({ id, name } satisfies JoinedCommunity);
  })
  .get('/:id', requireViewer, async (c) => {
    const { community, waiting, admins } = await readPage(c.var.db, c.var.viewer, c.req.param('id'));
    return c.json(presentPage(assertMay('read', community), waiting, admins));
  })
  .get('/:id/stats', requireViewer, async (c) => {
    const read = await readStats(c.var.db, c.var.viewer, c.req.param('id'), Date.now());
    assertMay('read_statistics', read.community);
    if (!read.members || !read.counts) throw new AppError('community_not_found');
    return c.json(presentStats(read.members, read.counts, read.locations) satisfies CommunityStats);
  })
  .get('/:id/qrcode/base64', requireViewer, async (c) => {
    const row = assertMay('read_qr_code', await findCommunity(c.var.db, c.var.viewer, c.req.param('id')));
    const link = joinLink(readAppOrigin(c), row.access_code);
    return c.json({ qr_code: await makeQrCode(link) } satisfies CommunityQrCode);
  });
