import { Hono } from 'hono';
import {
  incomingMessageInputSchema,
  type LocalWhatsappMessage,
  localWhatsappMessageQuerySchema,
} from '#contract/whatsapp.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireLocalTransport } from '#worker/http/local-transport.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { newId } from '#worker/identity/ids.ts';
import { receiveProof } from '#worker/numbers/index.ts';
import { deriveCode } from './code.ts';
import { isCode } from './job.ts';
import { listAccepted } from './message-store.ts';
import { receiveWord } from './receive-word.ts';

/**
 * Lists the messages of the local transport, newest first, and receives incoming ones. Other transports lack these
 * routes.
 */
export const devRoutes = new Hono<AppEnv>()
  .use(requireLocalTransport)
  .get('/whatsapp-messages', validate('query', localWhatsappMessageQuerySchema), async (c) => {
    const rows = await listAccepted(c.var.db, c.req.valid('query').to ?? null);
    const messages = rows.map(({ id, kind, to, language, createdAt }) => ({
      to,
      kind,
      language,
      code: isCode(kind) ? deriveCode(c.var.config.keys.code, id) : null,
      created_at: new Date(createdAt).toISOString(),
    }));
    return c.json(messages satisfies LocalWhatsappMessage[]);
  })
  .post('/whatsapp-incoming', requireJson, validate('json', incomingMessageInputSchema), async (c) => {
    const { from = null, text, forwarded = false } = c.req.valid('json');
    const message = { id: newId(), from, text, sentAt: Date.now() };
    if (!forwarded) {
      await receiveProof(c.var.db, c.var.config, message, Date.now());
      await receiveWord(c.env, c.var.db, message, Date.now());
    }
    return c.body(null, 204);
  });
