import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type AdminFound, adminSearchQuerySchema } from '#contract/admin.ts';
import {
  type Approval,
  adminCommunityQuerySchema,
  appointmentSchema,
  approvalInputSchema,
  memberListQuerySchema,
} from '#contract/communities.ts';
import { feedbackListQuerySchema } from '#contract/feedback.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { presentMember } from '#worker/communities/index.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv, SignedInEnv } from '#worker/http/app-env.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { presentPerson } from '#worker/moderation/index.ts';
import { presentToAdmin } from '#worker/posts/index.ts';
import { assertPending, type DecidableCommunity, decidedName, presentFeedback } from './admin-rules.ts';
import { isAccount, listAdmins, revokeAdmin } from './admin-store.ts';
import { presentAdminCommunity } from './community-rules.ts';
import { listCommunities, listMembers } from './community-store.ts';
import { decide } from './decide.ts';
import { findDecidable } from './decide-store.ts';
import { presentAdminPerson, presentAdminPost } from './lookup-rules.ts';
import { findAnything, readPerson, readPostPage } from './lookup-store.ts';
import { appointAdmin, findCommunity, findFeedback, finishFeedback, listFeedback } from './store.ts';
import { readWeek } from './week-store.ts';

type DecisionEnv = {
  Bindings: SignedInEnv['Bindings'];
  Variables: SignedInEnv['Variables'] & { community: DecidableCommunity };
};

/** Reads the community before the body is parsed, so that others than admins get a 403 whatever they send. */
const withPendingCommunity = createMiddleware<DecisionEnv, '/:id'>(async (c, next) => {
  c.set('community', assertPending(await findDecidable(c.var.db, c.var.viewer, c.req.param('id'))));
  await next();
});

/** The same, for appointing an admin. */
const withCommunity = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  if (!(await findCommunity(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('community_not_found');
  await next();
});

export const adminRoutes = new Hono<AppEnv>()
  .get('/communities', requireViewer, validate('query', adminCommunityQuerySchema), async (c) => {
    const page = await listCommunities(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.flatMap((row) => presentAdminCommunity(row, page.known)));
  })
  .post(
    '/communities/:id/approve',
    requireViewer,
    withPendingCommunity,
    validate('json', approvalInputSchema),
    async (c) => {
      const { name = decidedName(c.var.community) } = c.req.valid('json');
      if (name !== decidedName(c.var.community)) throw new AppError('wrong_state');
      const message = await decide(c, c.var.viewer, c.var.community, null);
      if (!message) throw new AppError('already_decided');
      return c.json({ id: message.community_id, name, approval_status: 1 } satisfies Approval);
    },
  )
  .get('/communities/:id/members', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await listMembers(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    if (!community) throw new AppError('community_not_found');
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentMember));
  })
  .post(
    '/communities/:id/reject',
    requireViewer,
    withPendingCommunity,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      if (!(await decide(c, c.var.viewer, c.var.community, c.req.valid('json').reason)))
        throw new AppError('already_decided');
      return c.body(null, 204);
    },
  )
  .post(
    '/communities/:id/admins',
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
  .get('/search', requireViewer, validate('query', adminSearchQuerySchema), async (c) => {
    const { people, posts } = await findAnything(c.var.db, c.var.viewer, c.req.valid('query').q);
    const found = posts.map((post) => presentToAdmin(post, c.var));
    return c.json({ people: people.map(presentPerson), posts: found } satisfies AdminFound);
  })
  .get('/users/:id', requireViewer, async (c) => {
    const { account, past } = await readPerson(c.var.db, c.var.viewer, c.req.param('id'));
    if (!account) throw new AppError('not_found');
    return c.json(presentAdminPerson(account, past, c.var));
  })
  .get('/posts/:id', requireViewer, async (c) => {
    const { post, author, past } = await readPostPage(c.var.db, c.var.viewer, c.req.param('id'));
    if (!post || !author) throw new AppError('post_not_found');
    return c.json(presentAdminPost(post, { author, ...past }, c.var));
  })
  .get('/week', requireViewer, async (c) => c.json(await readWeek(c.var.db, c.var.viewer, Date.now())))
  .get('/feedback', requireViewer, validate('query', feedbackListQuerySchema), async (c) => {
    const page = await listFeedback(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentFeedback));
  })
  .post('/feedback/:id/done', requireViewer, async (c) => {
    const entry = await findFeedback(c.var.db, c.var.viewer, c.req.param('id'));
    if (!entry) throw new AppError('not_found');
    await finishFeedback(c.var.db, c.var.viewer, entry.id);
    return c.body(null, 204);
  })
  .get('/admins', requireViewer, async (c) => c.json(await listAdmins(c.var.db, c.var.viewer)))
  .delete('/admins/:userId', requireViewer, async (c) => {
    const userId = c.req.param('userId');
    if (!(await isAccount(c.var.db, c.var.viewer, userId))) throw new AppError('not_found');
    if (!(await revokeAdmin(c.var.db, c.var.viewer, userId))) throw new AppError('last_admin');
    return c.body(null, 204);
  });
