import { Hono } from 'hono';
import { type LocalWhatsappMessage, localWhatsappMessageQuerySchema } from '#contract/whatsapp.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireLocalTransport } from '#worker/http/local-transport.ts';
import { validate } from '#worker/http/validate.ts';
import { listAccepted } from './message-store.ts';
import { deriveResetCode } from './reset-code.ts';

/** What the local transport has sent, newest first. Under any other transport these routes do not exist. */
export const devRoutes = new Hono<AppEnv>()
  .use(requireLocalTransport)
  .get('/whatsapp-messages', validate('query', localWhatsappMessageQuerySchema), async (c) => {
    const rows = await listAccepted(c.var.db, c.req.valid('query').to ?? null);
    const messages = rows.map(({ id, kind, to, language, createdAt }) => ({
      to,
      kind,
      language,
      code: kind === 'reset_code' ? deriveResetCode(c.var.config.keys.code, id) : null,
      created_at: new Date(createdAt).toISOString(),
    }));
    return c.json(messages satisfies LocalWhatsappMessage[]);
  });
