import type { Db } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { tellMailboxes, type UndeliveredNotice } from '#worker/notices/index.ts';
import { readCompetition, valuesOf } from './competition.ts';
import { lookupTerms } from './index-terms.ts';
import { judgeCertain } from './judge-certain.ts';
import { judgePair } from './judging/match-rules.ts';
import type { Competition } from './judging/probability.ts';
import type { CandidateRow, Match, MatchableRow } from './match-types.ts';
import { decodeReading } from './reading/encode-reading.ts';
import { type PostReading, readPost } from './reading/read-post.ts';
import { type Asking, findCandidates, readPending, storeAndFind } from './store.ts';
import { storePairs } from './write-pairs.ts';

/**
 * Matches one saved post with the open posts of the other kind, writes the pairs and delivers the notices of the sure ones.
 * Every step may be repeated: a pair is written once, and a mailbox ignores what it has. What is cut off between
 * two steps, or fails, stays marked in D1 and is finished by the sweep (`finishMatching`); so this never throws.
 */
export async function matchPost(env: Env, db: Db, postId: string): Promise<void> {
  try {
    await tellMailboxes(env, db, await findPairs(env, db, postId));
  } catch (error) {
    log.error('matching_failed', { post_id: postId, name: errorName(error) });
  }
}

/** @returns the notices that their recipients' mailboxes are to be told of. */
async function findPairs(env: Env, db: Db, postId: string): Promise<UndeliveredNotice[]> {
  const post = await readPending(db, postId);
  if (!post) return [];
  const startedAt = Date.now();
  const reading = readPost(post);
  const matches = await judgeCandidates(db, post, reading, storeAndFind(db, post, reading));
  return storePairs(db, { post, matches, config: readConfig(env), startedAt, now: Date.now() });
}

/** The post that candidates are judged for, with the kind that it is put under. */
type Judging = Asking & Pick<MatchableRow, 'kind'>;

/** The open posts of the other kind that describe the same thing, best first. */
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

/** A candidate whose text cannot be judged is left out, so that it does not cost the post its other matches. */
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
