import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { POSSIBLE_MATCHES_MAX } from '#contract/limits.ts';
import { confidenceSchema, type MatchCounts, type PostMatch } from '#contract/posts.ts';
import { idOf } from '#worker/conditions/people.ts';
import { isOpen, isOpenedBy, isShownTo } from '#worker/conditions/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryFirst, queryRows } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';
import { hasDismissed } from '#worker/notices/read-notices.ts';
import { assertAuthor } from '#worker/posts/find-post.ts';
import { type NumberReader, readWithNumbers } from '#worker/posts/give-numbers.ts';
import { FROM_POSTS, POST_COLUMNS, postRow } from '#worker/posts/post-columns.ts';
import { postRowForViewer, presentPost } from '#worker/posts/present-post.ts';
import { redactFor, redactReasons } from '#worker/redaction/redact-for.ts';
import { matchPost } from './match-post.ts';
import { matchableRow } from './match-types.ts';

/**
 * Returns the answer of `GET /api/posts/{id}/matches`: the open posts of the other side that match the viewer's post,
 * sure ones first, then by score. If the post still waits to be matched, it is matched first: a pair needs a stored
 * row, so that the viewer can confirm or dismiss it.
 */
export async function findMatches(
  env: Env,
  reader: NumberReader,
  viewer: Viewer,
  postId: string,
): Promise<PostMatch[]> {
  const asked = await readWithPairs(reader, viewer, postId);
  const post = assertAuthor(asked.row, viewer);
  if (post.is_found || post.hidden_by || post.away_since !== null) return [];
  const isPending = post.match_pending_since !== null;
  if (isPending) await matchPost(env, reader.db, postId);
  const { pairs, numbers } = isPending ? await readWithPairs(reader, viewer, postId) : asked;
  return pairs.map(({ pair_id, confidence, score, reasons, answer, ...match }) => ({
    pair_id,
    confidence,
    Post: presentPost(match, reader, numbers),
    score,
    reasons: redactReasons(wordReasons(reasons), redactFor('signed_in', match.kind)),
    answer,
  }));
}

/** Returns the answer of `GET /api/matches/counts` (`MatchCounts` in contract/posts.ts). */
export async function countMatches(db: Db, viewer: Viewer): Promise<MatchCounts> {
  const rows = await listMatchCounts(db, viewer);
  return Object.fromEntries(rows.map((row) => [row.id, row.count]));
}

/** The most matches in a list. A longer list does not help a person who looks for one thing. */
const MATCHES_MAX = 50;
/** Matches are counted for this many of the viewer's newest open posts. */
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
 * Condition: the viewer's list of matches contains the pair `m`. The two posts still match, the other post `p` is
 * open, the viewer may see `p`, and the pair is not dismissed.
 */
function isListed(viewer: Viewer): SQL {
  return sql`m.is_current = 1 and m.dismissed_at is null and ${isOpen('p')} and ${isShownTo('p', idOf(viewer))}
    and not ${hasDismissed(idOf(viewer))}`;
}

/** Reads the post and its listed matches, in one round trip. */
async function readWithPairs(reader: NumberReader, viewer: Viewer, postId: string) {
  const { db } = reader;
  const rows = selectPairs(viewer, postId);
  // Selects the posts whose phone numbers the response may show. Selects none unless the viewer is the author of the
  // post `postId`: other viewers see no phone number, so no number may count towards their daily limit.
  const posts = sql`
    select seq, row_number() over (order by confidence = 'sure' desc, place) as place from (${rows})
    where exists (select 1 from posts o where o.id = ${postId} and o.author_id = ${viewer.userId} and ${isOpen('o')})`;
  const { results, numbers } = await readWithNumbers(
    reader,
    { posts },
    {
      row: queryFirst(db, ownPostRow)`
        select ${POST_COLUMNS}, p.match_pending_since, ${isOpenedBy('p', idOf(viewer))} as is_opened
        ${FROM_POSTS} where p.id = ${postId}`,
      pairs: queryRows(db, pairRow)`${rows}`,
    },
  );
  return { ...results, numbers };
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

/** Counts the listed matches of each open post of the viewer's; posts without matches are omitted. */
async function listMatchCounts(db: Db, viewer: Viewer) {
  const { counts } = await readAs(db, viewer, {
    counts: queryRows(db, countRow)`
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
  });
  return counts;
}
