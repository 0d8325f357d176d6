import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertWithin } from '#worker/limits/allowance.ts';
import { digestToken, toToken } from './link-rules.ts';
import { insertFirstLink, insertLink, type NewLink } from './link-store.ts';
import { queueEmail } from './queue.ts';

const RETRY_SECONDS = 5;

/**
 * The link of an account that is being made: the statements belong into the batch that makes it, and what is to be done
 * after the answer hands it to the queue. Best effort: whoever got no link asks for one.
 */
export function startFirstLink(c: AppContext, user: { id: string; email: string }, now: number) {
  if (!c.var.config.email.isAvailable) return { statements: [], send: async () => {} };
  const link = newLink(c, user.id, user.email);
  return {
    statements: insertFirstLink(c.var.db, link, allowanceTo(c, user.email), now),
    // One that was not kept, for there was no room, is not found then.
    send: () => queueEmail(c.env, { kind: 'confirm_email', linkId: link.id }),
  };
}

/**
 * Before the answer: a link that is not on the queue would never come. Whose e-mail it is already gets none, and the
 * answer does not tell.
 * @throws AppError unauthorized, too_many_requests, or unavailable when the queue does not take it.
 */
export async function sendLink(c: AppContext, viewer: Viewer, email: string): Promise<void> {
  const { config, db } = c.var;
  if (!config.email.isAvailable) return;
  const now = Date.now();
  const link = newLink(c, viewer.userId, email);
  const allowances = [allowanceOf(config, 'email_link', viewer.userId), allowanceTo(c, email)] as const;
  const { counted, isMade } = await insertLink(db, viewer, { link, allowances }, now);
  for (const [index, allowance] of allowances.entries()) assertWithin(allowance, counted[index], now);
  if (!isMade) return;
  try {
    await queueEmail(c.env, { kind: 'confirm_email', linkId: link.id });
  } catch (error) {
    log.error('email_not_queued', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}

function newLink(c: AppContext, userId: string, email: string): NewLink {
  const { code } = c.var.config.keys;
  const id = newId();
  const { origin } = new URL(c.req.url);
  return { id, userId, email, tokenDigest: digestToken(code, toToken(code, id)), origin };
}

function allowanceTo(c: AppContext, email: string) {
  return allowanceOf(c.var.config, 'email_link_address', emailKey(email));
}
