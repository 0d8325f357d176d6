import type { PostKind } from '#contract/kinds.ts';
import { isOpen } from '#worker/conditions/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, nextTry, queryFirst, queryRows } from '#worker/db/statements.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { type Judgement, judgePair, weighPair } from '#worker/matching/judging/match-rules.ts';
import type { Competition } from '#worker/matching/judging/probability.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { decodeReading, type MatchablePost, type PostReading, readPost } from '#worker/matching/reading/read-post.ts';
import { deliverToMailboxes } from '#worker/notices/deliver-notices.ts';
import type { UndeliveredNotice } from '#worker/notices/read-notices.ts';
import { FROM_POSTS, STORED_COLUMNS } from '#worker/posts/post-columns.ts';
import { type Asking, findCandidates, readCompetition, storeAndFind, TRIES_MAX, valuesOf } from './find-candidates.ts';
import { lookupTerms } from './index-terms.ts';
import { type CandidateRow, type Match, type MatchableRow, matchableRow } from './match-types.ts';
import { readUnread } from './renew-readings.ts';
import { storePairs } from './write-pairs.ts';

/**
 * Matches a saved post with the open posts of the other side, writes the pairs, and delivers the notices about sure
 * pairs. Every step may be repeated: pairs are written once, and a mailbox ignores notices that it already has. After
 * an interruption or failure the post is still marked in D1 as waiting to be matched (`match_pending_since`), and the
 * scheduled sweep finishes the matching (`finishMatching`). Never throws.
 */
export async function matchPost(env: Env, db: Db, postId: string): Promise<void> {
  try {
    await deliverToMailboxes(env, db, await findPairs(env, db, postId));
  } catch (error) {
    log.error('matching_failed', { post_id: postId, name: errorName(error) });
  }
}

/** @returns the notices to deliver to their recipients' mailboxes. */
async function findPairs(env: Env, db: Db, postId: string): Promise<UndeliveredNotice[]> {
  const post = await readPending(db, postId);
  if (!post) {
    await readUnread(db, postId);
    return [];
  }
  const startedAt = Date.now();
  const reading = readPost(post);
  const matches = await judgeCandidates(db, post, reading, storeAndFind(db, post, reading));
  return storePairs(db, { post, matches, config: readConfig(env), startedAt, now: Date.now() });
}

/** The columns of a post that the judging of its candidates needs. */
type Judging = Asking & Pick<MatchableRow, 'kind'>;

/** Returns the open posts of the other side that match, best first. */
export async function judgeCandidates(
  db: Db,
  post: Judging,
  reading: PostReading,
  finding: PromiseLike<CandidateRow[]> = findCandidates(db, post, lookupTerms(reading)),
): Promise<Match[]> {
  const [candidates, competition] = await Promise.all([
    finding,
    readCompetition(db, post.posted_by, valuesOf(reading)),
  ]);
  return candidates
    .flatMap((candidate) => judge({ post, reading, competition }, candidate))
    .sort((left, right) => right.score - left.score || right.candidate.seq - left.candidate.seq);
}

type Subject = { post: Judging; reading: PostReading; competition: Competition };

/** Skips a candidate whose text cannot be judged, so that the post still gets its other matches. */
function judge({ post, reading, competition }: Subject, candidate: CandidateRow): Match[] {
  try {
    const other = candidate.reading === null ? readPost(candidate) : decodeReading(candidate.reading);
    const [lost, found] = post.posted_by === 'owner' ? [reading, other] : [other, reading];
    const kinds =
      post.posted_by === 'owner'
        ? { lost: post.kind, found: candidate.kind }
        : { lost: candidate.kind, found: post.kind };
    const { confidence, score, reasons } =
      judgeCertain(candidate, lost, found) ?? judgePair(lost, found, competition, kinds);
    return confidence === null ? [] : [{ candidate, confidence, score, reasons }];
  } catch (error) {
    log.error('candidate_not_judged', { post_id: candidate.id, name: errorName(error) });
    return [];
  }
}

/** The score of a pair that is certain whatever its texts say: higher than any score that comes from texts. */
const CERTAIN_SCORE = 0.999;

/**
 * Judges two posts that are about one thing whatever their texts say: the finder's post answers the owner's post ("I
 * found this"), or both posts have the same identifier. An identifier may be mistyped, so if the owners' names
 * contradict, the match is only possible.
 * @returns null if neither is the case.
 */
export function judgeCertain(
  { is_named, shares_identifier }: Pick<CandidateRow, 'is_named' | 'shares_identifier'>,
  lost: PostReading,
  found: PostReading,
): Judgement | null {
  const certain: Reason[] = [
    ...(is_named === 1 ? [{ kind: 'named_by_finder' } as const] : []),
    ...(shares_identifier === 1 ? [{ kind: 'same_identifier' } as const] : []),
  ];
  if (certain.length === 0) return null;
  const isContradicted = (weighPair(lost, found).owner?.points ?? 0) < 0;
  return {
    confidence: is_named === 1 || !isContradicted ? 'sure' : 'possible',
    score: CERTAIN_SCORE,
    reasons: [...certain, ...judgePair(lost, found).reasons],
  };
}

/** A post younger than this is probably being matched by the request that saved it. */
export const MATCH_GRACE_MS = 10_000;
const POSTS_PER_SWEEP = 100;

/**
 * Matches posts that were saved but never matched because their Worker died. The scheduled sweep calls this every
 * minute. A post's next try is postponed before the current try begins. If a post fails, or even ends the Worker, the
 * next run therefore starts with other posts. After TRIES_MAX tries, in two hours, the post is given up.
 */
export async function finishMatching(env: Env, db: Db, now: number): Promise<void> {
  for (const postId of await giveUp(db, now - MATCH_GRACE_MS)) log.error('matching_given_up', { post_id: postId });
  for (let count = 0; count < POSTS_PER_SWEEP; count++) {
    const postId = await claimOverduePost(db, now - MATCH_GRACE_MS, now);
    if (postId === null) return;
    await matchPost(env, db, postId);
  }
}

/**
 * Returns the category of the thing that the post's text names. Never throws: a post may be saved even if the analysis
 * of its text fails.
 */
export function deriveKind(post: Omit<MatchablePost, 'created_at'>): PostKind {
  try {
    return readKind(readPost({ ...post, created_at: Date.now() }));
  } catch (error) {
    log.error('kind_not_read', { name: errorName(error) });
    return 'other';
  }
}

/** Reads the post, if it is open and waits to be matched. */
export async function readPending(db: Db, postId: string): Promise<MatchableRow | undefined> {
  const row = await queryFirst(db, matchableRow)`
    select ${STORED_COLUMNS}, p.match_pending_since ${FROM_POSTS}
    where p.id = ${postId} and ${isOpen('p')} and p.match_pending_since is not null`;
  return row;
}

/**
 * Reserves the post that has waited longest, and postpones its next try before this try begins: by a minute at first,
 * then by twice as long with each try. Two overlapping runs of the scheduled sweep get different posts.
 */
async function claimOverduePost(db: Db, before: number, now: number): Promise<string | null> {
  const row = await queryFirst(db, idRow)`
    update posts set match_failures = match_failures + 1,
      match_pending_since = ${nextTry(now, 'match_failures')}
    where seq = (
      select seq from posts where match_pending_since < ${before} and match_failures < ${TRIES_MAX}
      order by match_pending_since limit 1)
    returning id`;
  return row?.id ?? null;
}

/** Gives up posts that have reached TRIES_MAX. They are not analysed again until their authors edit them. */
async function giveUp(db: Db, before: number): Promise<string[]> {
  const rows = await queryRows(db, idRow)`
    update posts set match_pending_since = null
    where match_pending_since < ${before} and match_failures >= ${TRIES_MAX} returning id`;
  return rows.map(({ id }) => id);
}
