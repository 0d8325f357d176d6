import { Hono } from 'hono';
import { REALTIME_TICKET_LIFETIME_SECONDS } from '#contract/limits.ts';
import { LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { signTicket, verifyTicket } from '#worker/identity/session-token.ts';
import { isWithinPlatformLimit } from '#worker/limits/platform-limiter.ts';
import { finishMatching, MATCH_GRACE_MS } from '#worker/matching/index.ts';
import { deliverNotices, readUnfinished } from '#worker/notices/index.ts';

/** Clients that connect at the same moment are told to come back within this time. */
const SPREAD_SECONDS = 30;

/** A person who requests a ticket is about to connect, so what a crash has interrupted is finished for them now. */
export const realtimeRoutes = new Hono<AppEnv>().post('/ticket', requireViewer, async (c) => {
  const { db, viewer, config } = c.var;
  await spreadLoad(c);
  const now = Date.now();
  const { noticeIds, areMatchesOverdue } = await readUnfinished(db, viewer, now - MATCH_GRACE_MS);
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  if (areMatchesOverdue) continueAfterAnswer(c, finishMatching(c.env, db, now));
  const ticket = await signTicket(config.keys.session, viewer, REALTIME_TICKET_LIFETIME_SECONDS);
  return c.json({ ticket, expires_in: REALTIME_TICKET_LIFETIME_SECONDS } satisfies RealtimeTicket);
});

/**
 * A deploy closes every socket in the same second, and all clients request tickets at once. Beyond what a location can
 * handle they get different times to retry.
 * @throws AppError unavailable.
 */
async function spreadLoad(c: AppContext): Promise<void> {
  if (await isWithinPlatformLimit(c.var.config, c.env.TICKETS, 'all')) return;
  throw new AppError('unavailable', { retryAfterSeconds: 1 + Math.floor(Math.random() * SPREAD_SECONDS) });
}

/** The socket. The ticket is verified before the user's object is called; the object makes sure that it is used only once. */
export const socketRoutes = new Hono<AppEnv>().get('/:userId', async (c) => {
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') throw new AppError('upgrade_required');
  assertOwnOrigin(c);
  const ticket = await verifyTicket(c.var.config.keys.session, readTicket(c));
  if (!ticket) throw new AppError('invalid_ticket');
  if (ticket.userId !== c.req.param('userId')) throw new AppError('forbidden');
  const answer = await getUserChannel(c.env, ticket.userId).connect(ticket, c.req.raw);
  if (answer.status === 401) throw new AppError('invalid_ticket');
  return answer;
});

/** Other sites must not open sockets from a user's browser. Clients that are not browsers send no Origin. */
function assertOwnOrigin(c: AppContext): void {
  const origin = c.req.header('Origin');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new AppError('foreign_origin');
}

function readTicket(c: AppContext): string {
  const protocols = (c.req.header('Sec-WebSocket-Protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const offered = protocols.find((protocol) => protocol.startsWith(LIVE_TICKET_PREFIX));
  return offered?.slice(LIVE_TICKET_PREFIX.length) ?? '';
}
