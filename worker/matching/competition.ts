import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR_MS } from '#contract/durations.ts';
import type { PostedBy } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import { isOpen } from '#worker/posts/index.ts';
import type { Competition } from './judging/probability.ts';
import { widerThings } from './lexicon/thing-relations.ts';
import { otherKind } from './match-types.ts';
import { placesAround } from './reading/read-places.ts';
import type { PostReading } from './reading/read-post.ts';

/** The newest open posts stand for all of them. */
const SAMPLED_POSTS = 2_000;
/** A value that fewer of them have has no row: nothing is known of it. */
export const FEWEST_WITH_VALUE = 3;
/** Counting on would cost more than it tells. */
const MOST_COUNTED = 100_000;
const REFRESHED_EVERY_MS = HOUR_MS;
/** Under this name stands how many open posts of a kind there are. */
const OPEN_POSTS = 'open ';

const shareRow = () => z.object({ value: z.string(), share: z.number() });
const dueRow = () => z.object({ is_due: flag() });

/** What the post says that others may say too, as an agreement on it is named in the evidence. */
export function valuesOf({ heads, places }: PostReading): string[] {
  const things = heads.flatMap((head) => head.ids.flatMap(widerThings));
  return [
    ...new Set([
      ...things.map((id) => `thing ${id}`),
      ...heads.flatMap((head) => [...head.colours].map((id) => `colour ${id}`)),
      ...heads.flatMap((head) => [...head.brands].map((brand) => `brand ${brand}`)),
      ...[...places.said.flat(), ...places.named.flat()].flatMap(placesAround).map((id) => `place ${id}`),
    ]),
  ];
}

/** What a post of the other kind stands out from, as far as this post's values go. */
export async function readCompetition(db: Db, postedBy: PostedBy, values: string[]): Promise<Competition> {
  const open = `${OPEN_POSTS}${otherKind(postedBy)}`;
  const rows = await queryRows(db, shareRow)`
    select value, share from value_shares
    where value in (select value from json_each(${JSON.stringify([open, ...values])}))`;
  const shares = new Map(rows.map(({ value, share }) => [value, share]));
  return { openPosts: shares.get(open) ?? 0, shareOf: (value) => shares.get(value) ?? null };
}

/** Once an hour counts again how many posts are open, and what share of the newest has each value. */
export async function refreshShares(db: Db, now: number): Promise<void> {
  const countOpen = (postedBy: PostedBy) => sql`
    insert into value_shares (value, share, refreshed_at)
    select ${`${OPEN_POSTS}${postedBy}`}, count(*), ${now}
    from (select 1 from posts p where ${isOpen('p')} and p.posted_by = ${postedBy} limit ${MOST_COUNTED})`;
  const [due] = await queryRows(db, dueRow)`
    select not exists (select 1 from value_shares where refreshed_at > ${now - REFRESHED_EVERY_MS}) as is_due`;
  if (due?.is_due !== 1) return;
  await db.batch([
    db.run(sql`delete from value_shares`),
    db.run(sql`
      insert into value_shares (value, share, refreshed_at)
      select v.value, count(*) * 1.0 / (select count(*) from (select 1 from match_readings limit ${SAMPLED_POSTS})), ${now}
      from (select agreeable from match_readings order by post_seq desc limit ${SAMPLED_POSTS}) r, json_each(r.agreeable) v
      group by v.value having count(*) >= ${FEWEST_WITH_VALUE}`),
    db.run(countOpen('owner')),
    db.run(countOpen('finder')),
  ]);
}
