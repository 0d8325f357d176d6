import { closeStatements, emptyStatements, listToClose } from './communities/index.ts';
import type { Db } from './db/client.ts';
import type { Env } from './env.ts';
import { errorName } from './errors/error-name.ts';
import { log } from './errors/log.ts';
import { deliverNotices, rememberUnread, reviseUnreadNotices } from './notices/index.ts';
import { restStatements, selectOpenIn } from './posts/index.ts';

const ROUNDS_MAX = 10;

/**
 * Closes the communities whose time has come, a bounded part of each at a time: its members are out, and its posts rest,
 * for their authors alone. Each part may be cut off and repeated: what is not closed is taken up again.
 */
export async function closeCommunities(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await listToClose(db, now);
    if (due.length === 0) return;
    for (const { id } of due) {
      try {
        await closeSome(env, db, id, now);
      } catch (error) {
        // One that fails keeps no other from its end.
        log.warn('closing_failed', { name: errorName(error) });
      }
    }
  }
}

async function closeSome(env: Env, db: Db, id: string, now: number): Promise<void> {
  const posts = selectOpenIn(id);
  const [, withdrawn] = await db.batch([
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    ...restStatements(db, posts, now),
    ...emptyStatements(db, id),
    ...closeStatements(db, id, now),
  ]);
  await deliverNotices(
    env,
    db,
    withdrawn.map((notice) => notice.id),
  );
}
