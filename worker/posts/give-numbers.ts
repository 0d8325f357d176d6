import { type SQL, sql } from 'drizzle-orm';
import { hasAcceptedClaim } from '#worker/conditions/claims.ts';
import { hasProvenNumber, idOf } from '#worker/conditions/people.ts';
import { isOpenedBy } from '#worker/conditions/posts.ts';
import { type Db, type Plan, type Results, readAs, writeAs } from '#worker/db/client.ts';
import { queryFirst, queryRows, rowOf } from '#worker/db/statements.ts';
import { givenNumbers, posts } from '#worker/db/tables/posts.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { networksOf } from '#worker/limits/allowance.ts';
import { endOfDay, inForce, NUMBERS_A_DAY } from '#worker/limits/limits.ts';
import { ALL_NUMBERS, type Asker, type GivenNumbers, NO_NUMBERS } from './present-post.ts';

/**
 * The reader, the networks that contain the reader's IP address, and how many phone numbers a day the reader may see.
 * `limits` is null if the limits are switched off.
 */
export type NumberReader = Asker & { db: Db; networks: Network[]; limits: typeof NUMBERS_A_DAY | null };

type Network = { id: string; max: number };
type CountedReader = { viewer: Viewer; networks: Network[]; limits: typeof NUMBERS_A_DAY };

type Shown = {
  /**
   * Selects `seq` and `place` of the posts in the response. `place` is the rank of a post in the response. If the limit
   * allows only some of the posts' phone numbers, the response shows the phone numbers of the posts with the lowest
   * `place`.
   */
  posts: SQL;
  /** Whether the response shows a single post that the reader opens. */
  isOpening?: boolean;
};

export function numberReaderOf(c: AppContext): NumberReader {
  const { db, viewer, config } = c.var;
  const networks = networksOf(clientAddress(c)).map((network, index) => ({
    id: fingerprint(config.keys.limit, 'given-numbers', network),
    max: NUMBERS_A_DAY.networks[index] ?? 0,
  }));
  return { db, viewer, config, networks, limits: inForce(config, NUMBERS_A_DAY) };
}

/**
 * Reads like `readAs`. Also counts the phone numbers that the response shows, in the same transaction, so that
 * concurrent requests cannot exceed the limit.
 */
export async function readWithNumbers<P extends Plan>(
  reader: NumberReader,
  shown: Shown,
  plan: P,
): Promise<{ results: Results<P>; numbers: GivenNumbers }> {
  const { db, viewer, limits } = reader;
  if (!viewer || !limits) {
    return { results: await readAs(db, viewer, plan), numbers: viewer ? ALL_NUMBERS : NO_NUMBERS };
  }
  const opensAt = endOfDay(Date.now());
  const { given, accepted, results } = await writeAs(db.repeatable, viewer, {
    giveNumbers: db.run(giveNumbers({ ...reader, viewer, limits }, shown, opensAt)),
    given: queryFirst(db, rowOf(givenNumbers, 'post_seqs'))`
      select post_seqs from given_numbers where reader_id = ${viewer.userId} and day_ends_at = ${opensAt}`,
    accepted: queryRows(db, rowOf(posts, 'seq'))`
      select p.seq from claims k cross join posts p on p.id = k.post_id
      where k.claimant_id = ${viewer.userId} and k.state = 'accepted'`,
    results: plan,
  });
  const seqs = given?.post_seqs ?? '';
  return {
    results,
    numbers: { has: (seq) => seqs.includes(`,${seq},`) || accepted.some((row) => row.seq === seq), opensAt },
  };
}

/**
 * Records which posts' phone numbers the response shows to the reader for the first time today, up to the reader's
 * daily limit. If the reader's own number is unproven, also records the shown numbers for each network that contains
 * the reader's IP address, up to the network's limit. Writes nothing if no number is new.
 */
function giveNumbers(reader: CountedReader, { posts, isOpening }: Shown, dayEndsAt: number): SQL {
  const { networks, limits } = reader;
  const userId = idOf(reader.viewer);
  const { account, proven_account, openings } = limits;
  const isAmong = (seqs: SQL, seq: SQL) => sql`instr(${seqs}, ',' || ${seq} || ',') > 0`;
  return sql`
    insert into given_numbers (reader_id, day_ends_at, post_seqs, post_count)
    with before as materialized (
        select coalesce(o.post_seqs, ',') as own, coalesce(o.post_count, 0) as own_count, u.is_proven,
          iif(u.is_proven, ${proven_account}, ${account}) + ${isOpening ? openings : 0} as own_max
        from (select ${hasProvenNumber(userId)} as is_proven) u
        left join given_numbers o on o.reader_id = ${userId} and o.day_ends_at = ${dayEndsAt}),
      networks as materialized (
        select j.value ->> 'id' as id, coalesce(g.post_seqs, ',') as seqs, coalesce(g.post_count, 0) as seq_count,
          (j.value ->> 'max') - coalesce(g.post_count, 0) as room
        from json_each(${JSON.stringify(networks)}) j
        left join given_numbers g on g.reader_id = j.value ->> 'id' and g.day_ends_at = ${dayEndsAt}
        where not (select is_proven from before)),
      fresh as (
        select v.seq, v.place
        from before b cross join (${posts}) v cross join posts p on p.seq = v.seq
        where p.author_id <> ${userId} and p.contact = 'number' and not ${hasAcceptedClaim(sql.raw('p.id'), userId)}
          and ${isOpenedBy('p', userId)} and not ${isAmong(sql`b.own`, sql`v.seq`)}),
      ranked as (
        select f.seq, f.place, n.id, n.room, row_number() over (partition by n.id order by f.place) as nth
        from fresh f left join networks n on not ${isAmong(sql`n.seqs`, sql`f.seq`)}),
      given as (
        select seq, json_group_array(id) as networks from ranked group by seq having coalesce(max(nth > room), 0) = 0
        order by min(place) limit (select max(0, own_max - own_count) from before)),
      counters as (
        select ${userId} as id, own as seqs, own_count as seq_count from before
        union all select id, seqs, seq_count from networks)
    select c.id, ${dayEndsAt}, c.seqs || group_concat(g.seq, ',') || ',', c.seq_count + count(*)
    from given g cross join json_each(json_insert(g.networks, '$[#]', ${userId})) j join counters c on c.id = j.value
    group by c.id
    on conflict (reader_id, day_ends_at) do update set
      post_seqs = excluded.post_seqs, post_count = excluded.post_count`;
}

/**
 * Statement: if the condition holds, records that the person has seen the post's phone number today, even if the person
 * thereby exceeds a limit.
 */
export function countGiven(db: Db, userId: SQL, postId: SQL, condition: SQL, now: number) {
  const dayEndsAt = endOfDay(now);
  return db.run(sql`
    insert into given_numbers (reader_id, day_ends_at, post_seqs, post_count)
    select ${userId}, ${dayEndsAt}, ',' || p.seq || ',', 1 from posts p where p.id = ${postId} and ${condition}
    on conflict (reader_id, day_ends_at) do update set
      post_seqs = given_numbers.post_seqs || substr(excluded.post_seqs, 2),
      post_count = given_numbers.post_count + 1
    where instr(given_numbers.post_seqs, excluded.post_seqs) = 0`);
}
