import { Hono } from 'hono';
import {
  approvedListQuerySchema,
  type Closing,
  type CommunityQrCode,
  type CommunityStats,
  communityChangeSchema,
  communityInputSchema,
  communityListQuerySchema,
  joinInputSchema,
  joinRequestInputSchema,
  type MadeJoinRequest,
  memberListQuerySchema,
  type RenewedCode,
  roleInputSchema,
} from '#contract/communities.ts';
import { joinLink } from '#contract/links.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppEnv, linkNextPage, readAppOrigin } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { changeCommunity, renewAccessCode } from './change-community.ts';
import { leaveCommunity, removeMember, setRole } from './change-members.ts';
import { closeCommunity, reopenCommunity } from './close-community.ts';
import { assertMay } from './community-rules.ts';
import { createCommunity } from './create-community.ts';
import { findCommunity, listApprovedCommunities, listOwnCommunities } from './find-community.ts';
import { acceptRequest, declineRequest, joinByCode, readRequests, requestToJoin } from './join-community.ts';
import {
  presentApproved,
  presentClosing,
  presentCommunity,
  presentMember,
  presentPage,
  presentRequest,
  presentStats,
} from './present-community.ts';
import { makeQrCode, readMembers, readPage, readStats } from './read-community.ts';

/** Returns the member's id; `me` stands for the caller. */
function memberOf(viewer: Viewer, userId: string): string {
  return userId === 'me' ? viewer.userId : userId;
}

/** Routes below `/api`. */
export const communityRoutes = new Hono<AppEnv>()
  .get('/communities', requireViewer, validate('query', communityListQuerySchema), async (c) => {
    const rows = await listOwnCommunities(c.var.db, c.var.viewer, c.req.valid('query').search);
    return c.json(rows.map(presentCommunity));
  })
  .get('/communities/approved', requireViewer, validate('query', approvedListQuerySchema), async (c) => {
    const page = await listApprovedCommunities(c.var.db, c.var.viewer, c.req.valid('query'), Date.now());
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentApproved));
  })
  .post('/communities', requireViewer, requireJson, validate('json', communityInputSchema), async (c) =>
    c.json(await createCommunity(c, c.var.viewer, c.req.valid('json')), 201),
  )
  .post('/communities/join', requireViewer, requireJson, validate('json', joinInputSchema), async (c) =>
    c.json(await joinByCode(c, c.var.viewer, c.req.valid('json').access_code)),
  )
  .get('/communities/:id', requireViewer, async (c) => {
    const { community, waiting, admins } = await readPage(c.var.db, c.var.viewer, c.req.param('id'));
    return c.json(presentPage(assertMay('read', community), waiting, admins));
  })
  .get('/communities/:id/stats', requireViewer, async (c) => {
    const read = await readStats(c.var.db, c.var.viewer, c.req.param('id'), Date.now());
    assertMay('read_statistics', read.community);
    if (!read.members || !read.counts) throw new AppError('community_not_found');
    return c.json(presentStats(read.members, read.counts, read.locations) satisfies CommunityStats);
  })
  .get('/communities/:id/qrcode/base64', requireViewer, async (c) => {
    const row = assertMay('read_qr_code', await findCommunity(c.var.db, c.var.viewer, c.req.param('id')));
    const link = joinLink(readAppOrigin(c), row.access_code);
    return c.json({ qr_code: await makeQrCode(link) } satisfies CommunityQrCode);
  })
  .patch('/communities/:id', requireViewer, requireJson, validate('json', communityChangeSchema), async (c) => {
    const { db, viewer } = c.var;
    const changed = await changeCommunity(db, viewer, c.req.param('id'), c.req.valid('json'), Date.now());
    return c.json(presentCommunity(assertMay('change', changed)));
  })
  .delete('/communities/:id', requireViewer, async (c) => {
    const closing = await closeCommunity(c, c.var.viewer, c.req.param('id'));
    return c.json(presentClosing(closing) satisfies Closing, 202);
  })
  .post('/communities/:id/reopen', requireViewer, async (c) =>
    c.json(presentCommunity(await reopenCommunity(c, c.var.viewer, c.req.param('id')))),
  )
  .post('/communities/:id/access-code', requireViewer, async (c) => {
    const { access_code } = assertMay('renew_code', await renewAccessCode(c.var.db, c.var.viewer, c.req.param('id')));
    return c.json({ access_code } satisfies RenewedCode);
  })
  .get('/communities/:id/members', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await readMembers(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    assertMay('read_members', community);
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentMember));
  })
  .put(
    '/communities/:id/members/:userId/role',
    requireViewer,
    requireJson,
    validate('json', roleInputSchema),
    async (c) => {
      const { db, viewer } = c.var;
      const place = { communityId: c.req.param('id'), userId: memberOf(viewer, c.req.param('userId')) };
      return c.json(presentMember(await setRole(db, viewer, place, c.req.valid('json').role)));
    },
  )
  .delete('/communities/:id/members/:userId', requireViewer, async (c) => {
    const { viewer } = c.var;
    const place = { communityId: c.req.param('id'), userId: memberOf(viewer, c.req.param('userId')) };
    if (place.userId === viewer.userId) {
      const closing = await leaveCommunity(c, viewer, place.communityId);
      return closing ? c.json(presentClosing(closing) satisfies Closing, 202) : c.body(null, 204);
    }
    await removeMember(c, viewer, place);
    return c.body(null, 204);
  })
  .post(
    '/communities/:id/join-requests',
    requireViewer,
    requireJson,
    validate('json', joinRequestInputSchema),
    async (c) => {
      const communityId = c.req.param('id');
      await requestToJoin(c, c.var.viewer, communityId, c.req.valid('json').message);
      return c.json({ community_id: communityId, status: 'waiting' } satisfies MadeJoinRequest, 201);
    },
  )
  .get('/communities/:id/join-requests', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await readRequests(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    assertMay('read_requests', community);
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentRequest));
  })
  .post('/communities/:id/join-requests/:userId/accept', requireViewer, async (c) => {
    await acceptRequest(c, c.var.viewer, { communityId: c.req.param('id'), userId: c.req.param('userId') });
    return c.body(null, 204);
  })
  .post('/communities/:id/join-requests/:userId/decline', requireViewer, async (c) => {
    await declineRequest(c, c.var.viewer, { communityId: c.req.param('id'), userId: c.req.param('userId') });
    return c.body(null, 204);
  });
