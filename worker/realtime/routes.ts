import { Hono } from 'hono';
import { REALTIME_TICKET_LIFETIME_SECONDS } from '#contract/limits.ts';
import { LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { signTicket, verifyTicket } from '#worker/identity/session-token.ts';
import { finishMatching, MATCH_GRACE_MS } from '#worker/matching/index.ts';
import { deliverNotices, readUnfinished } from '#worker/notices/index.ts';

/** Over so long they come back who came at once. */
const SPREAD_SECONDS = 30;

/** Whoever takes a ticket is about to listen: what a crash has cut off is finished for them now, before the sweep comes. */
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
 * A deploy closes every socket in the same second, and all come back for tickets together: beyond what a location can take
 * each is told another moment to come again.
 * @throws AppError unavailable.
 */
async function spreadLoad(c: AppContext): Promise<void> {
  if (!c.var.config.areRateLimitsOn) return;
  const { success } = await c.env.TICKETS.limit({ key: 'all' });
  if (!success)
    throw new AppError('unavailable', { retryAfterSeconds: 1 + Math.floor(Math.random() * SPREAD_SECONDS) });
}

/** The socket. The ticket is judged here, before the user's object is touched; the object sees to it that it is used once. */
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

/** A page of another site must not open a socket with what the browser knows. Programs that are no browser send no Origin. */
function assertOwnOrigin(c: AppContext): void {
  const origin = c.req.header('Origin');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new AppError('foreign_origin');
}

function readTicket(c: AppContext): string {
  const protocols = (c.req.header('Sec-WebSocket-Protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const offered = protocols.find((protocol) => protocol.startsWith(LIVE_TICKET_PREFIX));
  return offered?.slice(LIVE_TICKET_PREFIX.length) ?? '';
}
