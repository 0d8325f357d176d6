import { getUserChannel } from '#durable/get-user-channel.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { listToClose, listUsersToClose, markClosed } from './store.ts';

/** The sockets of a device that was signed out just now are probably being closed by that request. */
const GRACE_MS = 10_000;
const USERS_PER_SWEEP = 100;

/**
 * Closes the sockets of a person's devices that were signed out. This is the only way to end sockets early, except for an
 * erased person: every statement that revokes tokens signs out their devices. If the person's object cannot be reached, the
 * sweep tries again: until then an open socket still receives messages, but can do nothing.
 */
export async function closeSockets(env: Env, db: Db, userId: string): Promise<void> {
  const ended = await listToClose(db, userId);
  if (ended.length === 0) return;
  try {
    await getUserChannel(env, userId).endSessions(ended);
  } catch (error) {
    log.warn('sockets_not_closed', { name: errorName(error) });
    return;
  }
  await markClosed(db, ended, Date.now());
}

/** For the sweep: closes sockets that a crash or an unreachable object left open. */
export async function finishClosingSockets(env: Env, db: Db, now: number): Promise<void> {
  for (const userId of await listUsersToClose(db, now - GRACE_MS, USERS_PER_SWEEP)) {
    await closeSockets(env, db, userId);
  }
}
