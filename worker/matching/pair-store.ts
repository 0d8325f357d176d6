import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { POSSIBLE_MATCHES_MAX } from '#contract/limits.ts';
import { confidenceSchema } from '#contract/matching.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { hasDismissed } from '#worker/notices/index.ts';
import {
  FROM_POSTS,
  idOf,
  isOpen,
  isOpenedBy,
  isShownTo,
  type NumberReader,
  POST_COLUMNS,
  postRow,
  postRowForViewer,
  readWithNumbers,
} from '#worker/posts/index.ts';
import { matchableRow } from './match-types.ts';

/** More is no help to anybody who looks for one thing. */
const MATCHES_MAX = 50;
/** The newest of one's own open posts that matches are counted for. */
const COUNTED_POSTS_MAX = 200;

const pairRow = () =>
  z.object({
    ...postRow().shape,
    pair_id: z.string(),
    confidence: confidenceSchema,
    score: z.number(),
    reasons: z.string(),
    answer: z.nullable(z.literal('confirmed')),
    place: z.number(),
  });
const ownPostRow = () => z.object({ ...matchableRow().shape, ...postRowForViewer().shape });
const countRow = () => z.object({ id: z.string(), count: z.number() });

/**
 * Condition: the pair `m` stands in the viewer's list: both still match, the other post `p` is open and theirs to see,
 * and they have not said that it is not the same.
 */
function isListed(viewer: Viewer): SQL {
  return sql`m.is_current = 1 and m.dismissed_at is null and ${isOpen('p')} and ${isShownTo('p', idOf(viewer))}
    and not ${hasDismissed(idOf(viewer))}`;
}

/** The post and the posts it was paired with that are listed, in one round trip. */
export async function readWithPairs(reader: NumberReader, viewer: Viewer, postId: string) {
  const { db } = reader;
  const rows = selectPairs(viewer, postId);
  // The list is its author's alone, and nobody else is to be counted for it.
  const posts = sql`
    select seq, row_number() over (order by confidence = 'sure' desc, place) as place from (${rows})
    where exists (select 1 from posts o where o.id = ${postId} and o.author_id = ${viewer.userId} and ${isOpen('o')})`;
  const { answers, numbers } = await readWithNumbers(reader, { posts }, [
    queryRows(db, ownPostRow)`
      select ${POST_COLUMNS}, p.match_pending_since, ${isOpenedBy('p', idOf(viewer))} as is_opened
      ${FROM_POSTS} where p.id = ${postId}`,
    queryRows(db, pairRow)`${rows}`,
  ]);
  const [[row], pairs] = answers;
  return { row, pairs, numbers };
}

function selectPairs(viewer: Viewer, postId: string): SQL {
  return sql`
    select * from (select ${POST_COLUMNS}, m.id as pair_id, m.confidence, m.score, m.reasons,
      (select a.answer from match_answers a where a.pair_id = m.id and a.user_id = ${idOf(viewer)}) as answer,
      row_number() over (partition by m.confidence order by m.score desc, p.seq desc) as place
    from match_pairs m
    cross join posts p on p.id = case m.lost_post_id when ${postId} then m.found_post_id else m.lost_post_id end
    left join communities c on c.id = p.community_id
    where (m.lost_post_id = ${postId} or m.found_post_id = ${postId}) and ${isListed(viewer)})
    where confidence = 'sure' or place <= ${POSSIBLE_MATCHES_MAX}
    order by confidence = 'sure' desc, place limit ${MATCHES_MAX}`;
}

/** How many matches are listed for each of the viewer's own open posts that has any. */
export async function listMatchCounts(db: Db, viewer: Viewer) {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, countRow)`
      select o.id, min(${MATCHES_MAX},
        sum(m.confidence = 'sure') + min(${POSSIBLE_MATCHES_MAX}, sum(m.confidence = 'possible'))) as count
      from (
        select q.id from posts q where q.author_id = ${viewer.userId} and ${isOpen('q')}
        order by q.seq desc limit ${COUNTED_POSTS_MAX}
      ) o
      cross join match_pairs m on m.lost_post_id = o.id or m.found_post_id = o.id
      cross join posts p on p.id = case m.lost_post_id when o.id then m.found_post_id else m.lost_post_id end
      where ${isListed(viewer)}
      group by o.id`,
  ]);
  return rows;
}
