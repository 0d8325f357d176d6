import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { hasProvenNumber, idOf } from '#worker/conditions/people.ts';
import { isOpen, isShownTo } from '#worker/conditions/posts.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { flag, queryFirst } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  type Allowance,
  allowanceOf,
  allowancesOf,
  assertRooms,
  countEachIf,
  haveRoom,
  readCounts,
} from '#worker/limits/allowance.ts';
import { digestIdentifier } from '#worker/posts/identifiers.ts';
import { identifierTerm } from './find-candidates.ts';

/**
 * Whether a finder's post that is open, public and visible to the viewer has the identifier (docs/product.md V34).
 * @throws AppError number_not_proven, too_many_requests.
 */
export async function lookUpIdentifier(c: AppContext, viewer: Viewer, identifier: string): Promise<boolean> {
  const { config, db } = c.var;
  const now = Date.now();
  const allowances = [
    allowanceOf(config, 'identifier_lookup', viewer.userId),
    ...allowancesOf(config, 'identifier_lookup_address', clientAddress(c)),
  ];
  const lookup = { digest: digestIdentifier(config, identifier), allowances, now };
  const { isProven, isCounted, isFound, counted } = await countAndFind(db, viewer, lookup);
  if (!isProven) throw new AppError('number_not_proven', { status: 403 });
  if (!isCounted) assertRooms(allowances, counted, now);
  log.info('identifier_looked_up', { user_id: viewer.userId, is_found: isFound });
  return isFound;
}

/** Like matching, a look-up checks only the newest of the posts that have the identifier. */
const NEWEST_OF_IDENTIFIER = 100;

const answerRow = () => z.object({ is_proven: flag(), is_found: flag() });

type Lookup = { digest: string; allowances: Allowance[]; now: number };

/**
 * Counts and answers a look-up. If a limit is reached or the phone number is not proven, counts nothing, and the caller
 * must refuse.
 */
async function countAndFind(db: Db, viewer: Viewer, { digest, allowances, now }: Lookup) {
  const me = idOf(viewer);
  const isProven = hasProvenNumber(me);
  const { counting, answer, counted } = await writeAs(db, viewer, {
    counting: countEachIf(db, allowances, sql`${isProven} and ${haveRoom(allowances, now)}`, now),
    answer: queryFirst(db, answerRow)`
      select ${isProven} as is_proven, exists (
        select 1 from (
          select n.post_seq as seq from match_terms n
          where n.posted_by = 'finder' and n.term = ${identifierTerm(sql`${digest}`)}
          order by n.post_seq desc limit ${NEWEST_OF_IDENTIFIER}) t
        cross join posts p on p.seq = t.seq
        where p.community_id is null and ${isOpen('p')} and ${isShownTo('p', me)}) as is_found`,
    counted: readCounts(db, allowances, now),
  });
  return {
    isProven: answer?.is_proven === 1,
    isCounted: counting.length > 0,
    isFound: answer?.is_found === 1,
    counted,
  };
}
