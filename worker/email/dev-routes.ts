import { Hono } from 'hono';
import { type LocalEmail, localEmailQuerySchema } from '#contract/email.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireLocalTransport } from '#worker/http/local-transport.ts';
import { validate } from '#worker/http/validate.ts';
import { listSent } from './store.ts';

/**
 * The e-mails that the local transport listed instead of sending, newest first. With another transport the route does
 * not exist.
 */
export const emailDevRoutes = new Hono<AppEnv>()
  .use(requireLocalTransport)
  .get('/emails', validate('query', localEmailQuerySchema), async (c) => {
    const rows = await listSent(c.var.db, c.req.valid('query').to ?? null);
    const emails = rows.flatMap(({ content, createdAt }) =>
      content ? [{ ...content, created_at: new Date(createdAt).toISOString() }] : [],
    );
    return c.json(emails satisfies LocalEmail[]);
  });
