import { Hono } from 'hono';
import {
  type Closing,
  communityChangeSchema,
  memberListQuerySchema,
  type RenewedCode,
  roleInputSchema,
} from '#contract/communities.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { deliverNotices, withdrawInside } from '#worker/notices/index.ts';
import { changeCommunity, renewAccessCode } from './change-store.ts';
import { closeCommunity, reopenCommunity } from './closing-store.ts';
import { presentClosing, presentCommunity, presentMember } from './community-rules.ts';
import { readMembers } from './detail-store.ts';
import { leaveCommunity, removeMember, setRole } from './member-store.ts';
import { assertMay } from './step-rules.ts';

/** Below `/api/communities`: what admins do with a community and its members, and leaving it. */
export const communityStepRoutes = new Hono<AppEnv>()
  .patch('/:id', requireViewer, requireJson, validate('json', communityChangeSchema), async (c) => {
    const { db, viewer } = c.var;
    const changed = await changeCommunity(db, viewer, c.req.param('id'), c.req.valid('json'), Date.now());
    return c.json(presentCommunity(assertMay('change', changed)));
  })
  .delete('/:id', requireViewer, async (c) => {
    const { config, db, viewer } = c.var;
    const [id, now] = [c.req.param('id'), Date.now()];
    const allowance = allowanceOf(config, 'community_closing', id);
    const { before, after, noticeIds, counted } = await closeCommunity(db, viewer, id, { allowance, now });
    assertMay('close', before);
    if (after?.closes_at == null) assertRoom(allowance, counted, now);
    tell(c, noticeIds);
    return c.json(presentClosing(after) satisfies Closing, 202);
  })
  .post('/:id/reopen', requireViewer, async (c) => {
    const { after, noticeIds } = await reopenCommunity(c.var.db, c.var.viewer, c.req.param('id'), Date.now());
    const community = assertMay(after?.member_count === 1 ? 'reopen_alone' : 'reopen', after);
    if (community.closes_at !== null) throw new AppError('wrong_state');
    tell(c, noticeIds);
    return c.json(presentCommunity(community));
  })
  .post('/:id/access-code', requireViewer, async (c) => {
    const { access_code } = assertMay('renew_code', await renewAccessCode(c.var.db, c.var.viewer, c.req.param('id')));
    return c.json({ access_code } satisfies RenewedCode);
  })
  .get('/:id/members', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await readMembers(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    assertMay('read_members', community);
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentMember));
  })
  .put('/:id/members/:userId/role', requireViewer, requireJson, validate('json', roleInputSchema), async (c) => {
    const { db, viewer } = c.var;
    const place = { communityId: c.req.param('id'), userId: memberOf(viewer, c.req.param('userId')) };
    const { role } = c.req.valid('json');
    const { community, member } = await setRole(db, viewer, place, role);
    assertMay('set_role', community);
    if (!member) throw new AppError('member_not_found');
    if (member.role !== role) throw new AppError(role === 'admin' ? 'community_suspended' : 'last_admin');
    return c.json(presentMember(member));
  })
  .delete('/:id/members/:userId', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const place = { communityId: c.req.param('id'), userId: memberOf(viewer, c.req.param('userId')) };
    const going = { withdraw: withdrawInside, now: Date.now() };
    if (place.userId === viewer.userId) {
      const { community, after, hasLeft, noticeIds } = await leaveCommunity(db, viewer, place.communityId, going);
      assertMay('leave', community);
      tell(c, noticeIds);
      if (hasLeft) return c.body(null, 204);
      if (!after) throw new AppError('last_admin');
      return c.json(presentClosing(after) satisfies Closing, 202);
    }
    const { community, isRemoved, noticeIds } = await removeMember(db, viewer, place, going);
    assertMay('remove', community);
    if (!isRemoved) throw new AppError('member_not_found');
    tell(c, noticeIds);
    return c.body(null, 204);
  });

/** `me` stands for the caller. */
function memberOf(viewer: Viewer, userId: string): string {
  return userId === 'me' ? viewer.userId : userId;
}

function tell(c: AppContext, noticeIds: string[]): void {
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
}
