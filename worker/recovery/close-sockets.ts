import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { listUsersWithOpenSockets, markSocketsClosed } from './store.ts';

/** The request of a more recent reset is probably closing the sockets itself. */
const GRACE_MS = 10_000;
const USERS_PER_SWEEP = 100;

/**
 * Closes the sockets that a reset has signed out. If the user's object cannot be reached, the sweep tries again. The
 * tokens are revoked either way: until then an open socket still receives messages, but can do nothing.
 */
export async function closeSockets(env: Env, db: Db, userId: string, tokenVersion: number): Promise<void> {
  try {
    await getUserChannel(env, userId).revoke(tokenVersion);
    await markSocketsClosed(db, userId, tokenVersion);
  } catch (error) {
    log.warn('sockets_not_closed', { name: errorName(error) });
  }
}

/** For the sweep: closes sockets that a crash or an unreachable object left open. */
export async function finishClosingSockets(env: Env, db: Db, now: number): Promise<void> {
  for (const { userId, tokenVersion } of await listUsersWithOpenSockets(db, now - GRACE_MS, USERS_PER_SWEEP)) {
    await closeSockets(env, db, userId, tokenVersion);
  }
}
