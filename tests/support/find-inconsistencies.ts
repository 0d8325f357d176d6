/** Queries a database. A statement that fails counts as an inconsistency. */
export type Ask = (statement: string) => Promise<Record<string, unknown>[]>;

/**
 * Invariants that must be true after every batch, even if the Worker died. Each statement returns the rows that break
 * its invariant.
 */
const ALWAYS: Record<string, string> = {
  'the index of posts differs from them': "insert into posts_search (posts_search, rank) values ('integrity-check', 1)",
  'the index for visitors differs from the posts':
    "insert into posts_visitor_search (posts_visitor_search, rank) values ('integrity-check', 1)",
  'terms are left of a post that is not open': `
    select t.post_seq from match_terms t left join posts p on p.seq = t.post_seq
    where p.seq is null or p.is_found or p.away_since is not null`,
  'a reading is left of a post that is not open': `
    select r.post_seq from match_readings r left join posts p on p.seq = r.post_seq
    where p.seq is null or p.is_found or p.away_since is not null`,
  'a pair has lost a post': `
    select id from match_pairs m where not exists (select 1 from posts where id = m.lost_post_id)
      or not exists (select 1 from posts where id = m.found_post_id)`,
  'a person is told twice of a pair': `
    select pair_id from notices where pair_id is not null group by pair_id, recipient_id having count(*) > 1`,
  'a post is handed to two': `
    select post_id from claims where state in ('accepted', 'handed_over') group by post_id having count(*) > 1`,
  'a person has two open claims on a post': `
    select post_id from claims where state in ('waiting', 'asked', 'accepted')
    group by post_id, claimant_id having count(*) > 1`,
  'an answer is left of a pair that is gone': `
    select pair_id from match_answers a where not exists (select 1 from match_pairs where id = a.pair_id)`,
  'a post has more than four photos': 'select post_id from photos group by post_id having count(*) > 4',
  'the members of a community are miscounted': `
    select id from communities c
    where member_count <> (select count(*) from memberships where community_id = c.id)`,
};

/** Invariants that must be true once the scheduled sweep has finished interrupted work. */
const AT_LAST: Record<string, string> = {
  'a post waits to be matched': 'select id from posts where match_pending_since is not null',
  'an open post cannot be found by what it says': `
    select id from posts p where not is_found and away_since is null
      and not exists (select 1 from match_readings where post_seq = p.seq)`,
  'a notice waits for its mailbox': 'select id from notices where delivered_at is null',
};

/** @returns the broken invariants, each with the first rows that break it. */
export async function findInconsistencies(ask: Ask, { isSettled }: { isSettled: boolean }): Promise<string[]> {
  const found: string[] = [];
  for (const [what, statement] of Object.entries({ ...ALWAYS, ...(isSettled && AT_LAST) })) {
    try {
      const rows = await ask(statement);
      if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 5))}`);
    } catch (error) {
      found.push(`${what}: ${error}`);
    }
  }
  return found;
}

// The schema of the whole database. Each feature has a file with its own tables.
export * from '#worker/db/tables/claims.ts';
export * from '#worker/db/tables/communities.ts';
export * from '#worker/db/tables/matching.ts';
export * from '#worker/db/tables/moderation.ts';
export * from '#worker/db/tables/notices.ts';
export * from '#worker/db/tables/operating.ts';
export * from '#worker/db/tables/people.ts';
export * from '#worker/db/tables/posts.ts';
