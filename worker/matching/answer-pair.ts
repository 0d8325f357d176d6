import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { idOf } from '#worker/conditions/people.ts';
import { isOpen, isShownTo } from '#worker/conditions/posts.ts';
import { writeAs } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryFirst, queryRows } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { notifyOtherAuthor } from '#worker/notices/keep-notice.ts';
import { hasDismissed } from '#worker/notices/read-notices.ts';
import { withdrawFromBoth, withdrawPair } from '#worker/notices/withdraw-notices.ts';

/**
 * A `from … where` clause with the pair as `m`, the viewer's own post as `o` and the other post as `p`. Selects nothing
 * if neither post of the pair is the viewer's.
 */
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
 * Records that the viewer confirms the pair ("this is the one"), and notifies the other author, once.
 * @throws AppError not_found unless the pair is one of the viewer's, wrong_state if one of its posts is no longer open.
 */
export async function confirmPair(c: AppContext, viewer: Viewer, pairId: string): Promise<void> {
  const { db } = c.var;
  const now = Date.now();
  const isShown = sql`m.dismissed_at is null and ${isShownTo('p', idOf(viewer))} and not ${hasDismissed(idOf(viewer))}`;
  const { pair, notices } = await writeAs(db.repeatable, viewer, {
    pair: queryFirst(db, pairRow)`select ${IS_OPEN} as is_open ${fromOwnPair(viewer, pairId)} and ${isShown}`,
    insertMatchAnswers: db.run(sql`
      insert into match_answers (pair_id, user_id, answer, answered_at)
      select m.id, o.author_id, 'confirmed', ${now} ${fromOwnPair(viewer, pairId)} and ${isShown} and ${IS_OPEN}
      on conflict (pair_id, user_id) do nothing`),
    notices: notifyOtherAuthor(db, sql`m.id = ${pairId} and a.user_id = ${viewer.userId} and changes() > 0`, now),
  });
  if (!pair) throw new AppError('not_found');
  if (pair.is_open === 0) throw new AppError('wrong_state');
  continueAfterAnswer(c, deliverNotices(c.env, db, idsOf(notices)));
}

/**
 * Records that the viewer rejects the pair ("not this one"). From then on the pair is listed only for the other author.
 * @throws AppError not_found unless the pair is one of the viewer's.
 */
export async function dismissPair(c: AppContext, viewer: Viewer, pairId: string): Promise<void> {
  const { db } = c.var;
  const now = Date.now();
  const { pair, notices } = await writeAs(db.repeatable, viewer, {
    pair: queryFirst(db, idRow)`select m.id ${fromOwnPair(viewer, pairId)}`,
    insertMatchAnswers: db.run(sql`
      insert into match_answers (pair_id, user_id, answer, answered_at)
      select m.id, o.author_id, 'dismissed', ${now} ${fromOwnPair(viewer, pairId)}
      on conflict (pair_id, user_id) do update set answer = excluded.answer, answered_at = excluded.answered_at`),
    notices: withdrawPair(db, viewer, pairId, now),
  });
  if (!pair) throw new AppError('not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, idsOf(notices)));
}

/**
 * Records that the two posts of a notice are about different things, and withdraws both authors' notices about the
 * pair.
 * @throws AppError not_found unless the viewer is the notice's recipient.
 */
export async function dismissForBoth(c: AppContext, viewer: Viewer, noticeId: string): Promise<void> {
  const { db } = c.var;
  const now = Date.now();
  const pairId = sql`(select t.pair_id from notices t where t.id = ${noticeId} and t.recipient_id = ${viewer.userId})`;
  const { withdrawn, dismissed } = await writeAs(db.repeatable, viewer, {
    withdrawn: withdrawFromBoth(db, viewer, pairId, now),
    dismissed: queryRows(db, idRow)`
      update match_pairs set dismissed_at = coalesce(dismissed_at, ${now}) where id = ${pairId} returning id`,
  });
  if (dismissed.length === 0) throw new AppError('not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, idsOf(withdrawn)));
}
