import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { FROM_POSTS, idOf, isMember, isShownTo, POST_COLUMNS, postRow, postRowForViewer } from '#worker/posts/index.ts';
import { matchableRow } from './match-types.ts';

/** More is no help to anybody who looks for one thing. */
const MATCHES_MAX = 50;
/** The newest of one's own open posts that matches are counted for. */
const COUNTED_POSTS_MAX = 200;

const pairRow = () => z.object({ ...postRow().shape, score: z.number(), reasons: z.string() });
const ownPostRow = () => z.object({ ...matchableRow().shape, ...postRowForViewer().shape });
const countRow = () => z.object({ id: z.string(), count: z.number() });

/** Whether both still match, neither is found and nobody has said that they are not the same; `p` is the other post. */
const IS_MATCH = sql.raw('m.is_current = 1 and m.dismissed_at is null and p.is_found = 0');

/** The post and the posts it was paired with that the viewer may see, best first, in one round trip. */
export async function readWithPairs(db: Db, viewer: Viewer, postId: string) {
  const [[row], pairs] = await readAs(db, viewer, [
    queryRows(db, ownPostRow)`
      select ${POST_COLUMNS}, p.match_pending_since, ${isMember(sql`p.community_id`, idOf(viewer))} as is_member
      ${FROM_POSTS} where p.id = ${postId}`,
    queryRows(db, pairRow)`
      select ${POST_COLUMNS}, m.score, m.reasons
      from match_pairs m
      cross join posts p on p.id = case m.lost_post_id when ${postId} then m.found_post_id else m.lost_post_id end
      left join communities c on c.id = p.community_id
      where (m.lost_post_id = ${postId} or m.found_post_id = ${postId}) and ${IS_MATCH} and ${isShownTo('p', idOf(viewer))}
      order by m.score desc, p.seq desc limit ${MATCHES_MAX}`,
  ]);
  return { row, pairs };
}

/** How many posts match each of the viewer's own open posts that has any. */
export async function listMatchCounts(db: Db, viewer: Viewer) {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, countRow)`
      select o.id, count(*) as count
      from (
        select id from posts where author_id = ${viewer.userId} and is_found = 0
        order by seq desc limit ${COUNTED_POSTS_MAX}
      ) o
      cross join match_pairs m on m.lost_post_id = o.id or m.found_post_id = o.id
      cross join posts p on p.id = case m.lost_post_id when o.id then m.found_post_id else m.lost_post_id end
      where ${IS_MATCH} and ${isShownTo('p', idOf(viewer))}
      group by o.id`,
  ]);
  return rows;
}
