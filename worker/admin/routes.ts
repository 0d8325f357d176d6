import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type AdminFound, adminSearchQuerySchema, feedbackListQuerySchema, switchesSchema } from '#contract/admin.ts';
import {
  adminCommunityQuerySchema,
  appointmentSchema,
  approvalInputSchema,
  memberListQuerySchema,
} from '#contract/communities.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import {
  appointAdmin,
  approveCommunity,
  assertPending,
  type DecidableCommunity,
  findCommunity,
  findDecidable,
  rejectCommunity,
} from '#worker/communities/decide-on-community.ts';
import { presentMember } from '#worker/communities/present-community.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { findFeedback, finishFeedback, listFeedback, presentFeedback } from '#worker/feedback/list-feedback.ts';
import { type AppEnv, linkNextPage, type SignedInEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { presentPerson } from '#worker/moderation/list-cases.ts';
import { presentToAdmin } from '#worker/posts/present-post.ts';
import { listCommunities, listMembers, presentAdminCommunity } from './list-communities.ts';
import { findAnything, presentAdminPerson, presentAdminPost, readPerson, readPostPage } from './look-up.ts';
import { isAccount, listAdmins, revokeAdmin } from './platform-admins.ts';
import { readWeek } from './statistics.ts';
import { forgetSwitches, readSwitches, writeSwitches } from './switches.ts';

type DecisionEnv = {
  Bindings: SignedInEnv['Bindings'];
  Variables: SignedInEnv['Variables'] & { community: DecidableCommunity };
};

/** Reads the community before the body is parsed, so that people who are not admins get a 403 whatever they send. */
const withPendingCommunity = createMiddleware<DecisionEnv, '/:id'>(async (c, next) => {
  c.set('community', assertPending(await findDecidable(c.var.db, c.var.viewer, c.req.param('id'))));
  await next();
});

/** Like `withPendingCommunity`, but also accepts a community that is not pending. */
const withCommunity = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  if (!(await findCommunity(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('community_not_found');
  await next();
});

/** Checks the role before the body is parsed, so that people who are not admins get a 403 whatever they send. */
const requirePlatformAdmin = createMiddleware<SignedInEnv>(async (c, next) => {
  await readSwitches(c.var.db, c.var.viewer);
  await next();
});

/** Routes below `/api`. */
export const adminRoutes = new Hono<AppEnv>()
  .get('/admin/communities', requireViewer, validate('query', adminCommunityQuerySchema), async (c) => {
    const page = await listCommunities(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.flatMap((row) => presentAdminCommunity(row, page.known)));
  })
  .post(
    '/admin/communities/:id/approve',
    requireViewer,
    withPendingCommunity,
    validate('json', approvalInputSchema),
    async (c) => c.json(await approveCommunity(c, c.var.viewer, c.var.community, c.req.valid('json').name)),
  )
  .get('/admin/communities/:id/members', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await listMembers(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    if (!community) throw new AppError('community_not_found');
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentMember));
  })
  .post(
    '/admin/communities/:id/reject',
    requireViewer,
    withPendingCommunity,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      await rejectCommunity(c, c.var.viewer, c.var.community, c.req.valid('json').reason);
      return c.body(null, 204);
    },
  )
  .post(
    '/admin/communities/:id/admins',
    requireViewer,
    withCommunity,
    requireJson,
    validate('json', appointmentSchema),
    async (c) => {
      const { user_id: userId } = c.req.valid('json');
      if (!(await appointAdmin(c.var.db, c.var.viewer, c.req.param('id'), userId))) throw new AppError('not_found');
      return c.body(null, 204);
    },
  )
  .get('/admin/search', requireViewer, validate('query', adminSearchQuerySchema), async (c) => {
    const { people, posts } = await findAnything(c.var.db, c.var.viewer, c.req.valid('query').q);
    const found = posts.map((post) => presentToAdmin(post, c.var));
    return c.json({ people: people.map(presentPerson), posts: found } satisfies AdminFound);
  })
  .get('/admin/users/:id', requireViewer, async (c) => {
    const { account, past } = await readPerson(c.var.db, c.var.viewer, c.req.param('id'));
    if (!account) throw new AppError('not_found');
    return c.json(presentAdminPerson(account, past, c.var));
  })
  .get('/admin/posts/:id', requireViewer, async (c) => {
    const { post, author, past } = await readPostPage(c.var.db, c.var.viewer, c.req.param('id'));
    if (!post || !author) throw new AppError('post_not_found');
    return c.json(presentAdminPost(post, { author, ...past }, c.var));
  })
  .get('/admin/week', requireViewer, async (c) => c.json(await readWeek(c.var.db, c.var.viewer, Date.now())))
  .get('/admin/feedback', requireViewer, validate('query', feedbackListQuerySchema), async (c) => {
    const page = await listFeedback(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentFeedback));
  })
  .post('/admin/feedback/:id/done', requireViewer, async (c) => {
    const entry = await findFeedback(c.var.db, c.var.viewer, c.req.param('id'));
    if (!entry) throw new AppError('not_found');
    await finishFeedback(c.var.db, c.var.viewer, entry.id);
    return c.body(null, 204);
  })
  .get('/admin/admins', requireViewer, async (c) => c.json(await listAdmins(c.var.db, c.var.viewer)))
  .delete('/admin/admins/:userId', requireViewer, async (c) => {
    const userId = c.req.param('userId');
    if (!(await isAccount(c.var.db, c.var.viewer, userId))) throw new AppError('not_found');
    if (!(await revokeAdmin(c.var.db, c.var.viewer, userId))) throw new AppError('last_admin');
    return c.body(null, 204);
  })
  .get('/admin/switches', requireViewer, async (c) => c.json(await readSwitches(c.var.db, c.var.viewer)))
  .put(
    '/admin/switches',
    requireViewer,
    requirePlatformAdmin,
    requireJson,
    validate('json', switchesSchema),
    async (c) => {
      const switches = c.req.valid('json');
      await writeSwitches(c.var.db, c.var.viewer, switches);
      forgetSwitches();
      return c.json(switches);
    },
  );
