import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readAppOrigin } from '#worker/http/app-origin.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertWithin } from '#worker/limits/allowance.ts';
import { digestToken, toToken } from './link-rules.ts';
import { insertFirstLink, insertLink, type NewLink } from './link-store.ts';
import { queueEmail } from './queue.ts';

const RETRY_SECONDS = 5;

/**
 * The first link of a new account: statements for the batch that creates the account, and `send` for after the answer.
 * Best effort: people who get no link can request one.
 */
export function startFirstLink(c: AppContext, user: { id: string; email: string }, now: number) {
  if (!c.var.config.email.isAvailable) return { statements: [], send: async () => {} };
  const link = newLink(c, user.id, user.email);
  return {
    statements: insertFirstLink(c.var.db, link, allowanceTo(c, user.email), now),
    // If the limit prevented the link from being stored, the consumer does not find it.
    send: () => queueEmail(c.env, { kind: 'confirm_email', linkId: link.id }),
  };
}

/**
 * Queues the link before the answer, as it would otherwise be lost. An address of another account gets none, but the
 * answer is the same.
 * @throws AppError unauthorized, too_many_requests, or unavailable when the queue does not accept it.
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
  return { id, userId, email, tokenDigest: digestToken(code, toToken(code, id)), origin: readAppOrigin(c) };
}

function allowanceTo(c: AppContext, email: string) {
  return allowanceOf(c.var.config, 'email_link_address', emailKey(email));
}
