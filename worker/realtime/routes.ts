import { Hono } from 'hono';
import * as z from 'zod/mini';
import { REALTIME_TICKET_LIFETIME_SECONDS } from '#contract/limits.ts';
import { LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryFirst, queryRows } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, type AppEnv, continueAfterAnswer } from '#worker/http/context.ts';
import { isWithinPlatformLimit } from '#worker/http/stop-floods.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { signTicket, verifyTicket } from '#worker/identity/session-token.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { finishMatching, MATCH_GRACE_MS } from '#worker/matching/match-post.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';

/** Clients that connect at the same moment get different times to retry, up to this many seconds apart. */
const SPREAD_SECONDS = 30;

/**
 * Issues a ticket for a WebSocket. If a crash has left notices of this person undelivered or posts unmatched, also
 * finishes this work, so that the person gets the notices over the WebSocket.
 */
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
 * Spreads reconnections: a deploy closes every socket in the same second, and all clients request tickets at once. If a
 * Cloudflare location has too many clients, some of them must retry, each at a different time.
 * @throws AppError unavailable.
 */
async function spreadLoad(c: AppContext): Promise<void> {
  if (await isWithinPlatformLimit(c.var.config, c.env.TICKETS, 'all')) return;
  throw new AppError('unavailable', { retryAfterSeconds: 1 + Math.floor(Math.random() * SPREAD_SECONDS) });
}

/** Opens a socket. The Worker verifies the ticket, and the user's Durable Object refuses a ticket that was used. */
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

/**
 * Refuses requests from other sites' pages, which could otherwise open sockets from a user's browser. A request without
 * an Origin is accepted: browsers always send one, but other clients need not.
 */
function assertOwnOrigin(c: AppContext): void {
  const origin = c.req.header('Origin');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new AppError('foreign_origin');
}

function readTicket(c: AppContext): string {
  const protocols = (c.req.header('Sec-WebSocket-Protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const offered = protocols.find((protocol) => protocol.startsWith(LIVE_TICKET_PREFIX));
  return offered?.slice(LIVE_TICKET_PREFIX.length) ?? '';
}

const overdueRow = () => z.object({ found: z.literal(1) });

/** How many waiting notices are delivered when a person connects. The clean-up job (sweep) delivers all others. */
const WAITING_MAX = 100;

/** Returns the ids of the person's undelivered notices, and whether any post has waited too long for matching. */
async function readUnfinished(db: Db, viewer: Viewer, before: number) {
  const { waiting, overdue } = await readAs(db, viewer, {
    waiting: queryRows(db, idRow)`
      select id from notices where recipient_id = ${viewer.userId} and delivered_at is null limit ${WAITING_MAX}`,
    overdue: queryFirst(db, overdueRow)`select 1 as found from posts where match_pending_since < ${before} limit 1`,
  });
  return { noticeIds: idsOf(waiting), areMatchesOverdue: overdue !== undefined };
}
