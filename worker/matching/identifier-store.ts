import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Db, writeAs } from '#worker/db/client.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countEachIf, haveRoom, readCounts } from '#worker/limits/allowance.ts';
import { idOf, isOpen, isShownTo } from '#worker/posts/index.ts';

/** Of the posts that give one number the newest are looked at, as by the matching. */
const NEWEST_OF_IDENTIFIER = 100;

const answerRow = () => z.object({ is_proven: flag(), is_found: flag() });

/** Expression: the term that a post with this identifier stands under. @param digest a value, or a column. */
export function identifierTerm(digest: SQL): SQL {
  return sql`'!' || ${digest}`;
}

type Lookup = { digest: string; allowances: Allowance[]; now: number };

/**
 * Whether an open, public finder's post that the viewer may see has the identifier (docs/product.md V34); what is beyond a
 * limit, or asked by somebody who has not proven their number, is not counted and not to be answered.
 */
export async function lookUpIdentifier(db: Db, viewer: Viewer, { digest, allowances, now }: Lookup) {
  const me = idOf(viewer);
  const isProven = hasProvenNumber(me);
  const [counting, [answer], counted] = await writeAs(db, viewer, [
    countEachIf(db, allowances, sql`${isProven} and ${haveRoom(allowances, now)}`, now),
    queryRows(db, answerRow)`
      select ${isProven} as is_proven, exists (
        select 1 from (
          select n.post_seq as seq from match_terms n
          where n.posted_by = 'finder' and n.term = ${identifierTerm(sql`${digest}`)}
          order by n.post_seq desc limit ${NEWEST_OF_IDENTIFIER}) t
        cross join posts p on p.seq = t.seq
        where p.community_id is null and ${isOpen('p')} and ${isShownTo('p', me)}) as is_found`,
    readCounts(db, allowances, now),
  ]);
  return {
    isProven: answer?.is_proven === 1,
    isCounted: counting.length > 0,
    isFound: answer?.is_found === 1,
    counted,
  };
}
