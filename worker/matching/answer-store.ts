import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Db, writeAs } from '#worker/db/client.ts';
import { flag, idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hasDismissed, tellConfirmed, withdrawPair } from '#worker/notices/index.ts';
import { idOf, isOpen, isShownTo } from '#worker/posts/index.ts';

/** The pair `m`, if the viewer is the author of one of its posts, `o`; `p` is the other one. */
function fromOwnPair(viewer: Viewer, pairId: string): SQL {
  return sql`
    from match_pairs m
    join posts o on o.id in (m.lost_post_id, m.found_post_id) and o.author_id = ${viewer.userId}
    join posts p on p.id in (m.lost_post_id, m.found_post_id) and p.id <> o.id
    where m.id = ${pairId}`;
}

const pairRow = () => z.object({ is_open: flag() });
const IS_OPEN = sql`(m.is_current = 1 and ${isOpen('o')} and ${isOpen('p')})`;

/**
 * Remembers that the viewer says "it is this one", and tells the other side, once.
 * @returns whether the pair is still open, undefined when it is none of the viewer's, and the ids of new notices.
 */
export async function confirmPair(db: Db, viewer: Viewer, pairId: string, now: number) {
  const isShown = sql`m.dismissed_at is null and ${isShownTo('p', idOf(viewer))} and not ${hasDismissed(idOf(viewer))}`;
  const [[pair], , notices] = await writeAs(db.repeatable, viewer, [
    queryRows(db, pairRow)`select ${IS_OPEN} as is_open ${fromOwnPair(viewer, pairId)} and ${isShown}`,
    db.run(sql`
      insert into match_answers (pair_id, user_id, answer, answered_at)
      select m.id, o.author_id, 'confirmed', ${now} ${fromOwnPair(viewer, pairId)} and ${isShown} and ${IS_OPEN}
      on conflict (pair_id, user_id) do nothing`),
    tellConfirmed(db, sql`m.id = ${pairId} and a.user_id = ${viewer.userId} and changes() > 0`, now),
  ]);
  return { pair, noticeIds: notices.map((notice) => notice.id) };
}

/**
 * Remembers that the viewer says "not this one", for themself alone: they see nothing of the pair again.
 * @returns whether it is a pair of theirs, and the ids of their notices of it.
 */
export async function dismissPair(db: Db, viewer: Viewer, pairId: string, now: number) {
  const [[pair], , notices] = await writeAs(db.repeatable, viewer, [
    queryRows(db, idRow)`select m.id ${fromOwnPair(viewer, pairId)}`,
    db.run(sql`
      insert into match_answers (pair_id, user_id, answer, answered_at)
      select m.id, o.author_id, 'dismissed', ${now} ${fromOwnPair(viewer, pairId)}
      on conflict (pair_id, user_id) do update set answer = excluded.answer, answered_at = excluded.answered_at`),
    withdrawPair(db, viewer, pairId, now),
  ]);
  return { isOwn: pair !== undefined, noticeIds: notices.map((notice) => notice.id) };
}
