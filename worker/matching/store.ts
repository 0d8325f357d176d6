import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { newId } from '#worker/http/ids.ts';
import type { PostRow } from '#worker/posts/post-rules.ts';
import { FROM_POSTS, POST_COLUMNS } from '#worker/posts/store.ts';
import { indexTerms, lookupTerms } from './index-terms.ts';
import type { Match } from './match-post.ts';
import { type PostReading, readPost } from './read-post.ts';

/** How many of the newest posts one term may bring, so that a lookup costs the same among a million posts. */
const NEWEST_PER_TERM = 100;
/** How many candidates are judged: those that share the most terms, the newest first among equals. */
const CANDIDATES_MAX = 150;

export type MatchableRow = PostRow & { match_pending_since: number | null };

/** The post, if it is open and waits to be matched. */
export async function readPending(db: Db, postId: string): Promise<MatchableRow | undefined> {
  const [row] = await db.all<MatchableRow>(sql`
    select ${POST_COLUMNS}, p.match_pending_since ${FROM_POSTS}
    where p.id = ${postId} and p.is_found = 0 and p.match_pending_since is not null`);
  return row;
}

export async function listPending(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    select id from posts where match_pending_since is not null and match_pending_since < ${before}
    order by match_pending_since limit ${limit}`);
  return rows.map((row) => row.id);
}

/** Makes the post findable for others. Before it looks itself: of two posts saved at once, one then sees the other. */
export async function storeTerms(db: Db, post: MatchableRow): Promise<void> {
  const terms = JSON.stringify(indexTerms(readPost(post)));
  await db.batch([
    db.run(sql`delete from match_terms where post_seq = ${post.seq}`),
    db.run(sql`
      insert or ignore into match_terms (posted_by, term, post_seq)
      select p.posted_by, t.value, p.seq from posts p, json_each(${terms}) t
      where p.seq = ${post.seq} and p.is_found = 0`),
  ]);
}

/**
 * Open posts of the other kind and another person that share a term, where each author may see the other's post
 * and neither has said that the two are not the same.
 */
export async function findCandidates(db: Db, post: PostRow, reading: PostReading): Promise<PostRow[]> {
  const otherKind = post.posted_by === 'owner' ? 'finder' : 'owner';
  const terms = JSON.stringify(lookupTerms(reading));
  return db.all<PostRow>(sql`
    select ${POST_COLUMNS} from (
      select m.post_seq as seq, count(*) as shared
      from json_each(${terms}) t cross join match_terms m
      where m.posted_by = ${otherKind} and m.term = t.value and m.post_seq in (
        select n.post_seq from match_terms n where n.posted_by = ${otherKind} and n.term = t.value
        order by n.post_seq desc limit ${NEWEST_PER_TERM})
      group by m.post_seq order by shared desc, m.post_seq desc limit ${CANDIDATES_MAX}
    ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
    where p.is_found = 0 and p.author_id <> ${post.author_id}
      and (p.community_id is null or exists (select 1 from memberships a
        where a.community_id = p.community_id and a.user_id = ${post.author_id}))
      and (${post.community_id} is null or exists (select 1 from memberships b
        where b.community_id = ${post.community_id} and b.user_id = p.author_id))
      and not exists (select 1 from match_pairs d where d.dismissed_at is not null and (
        (d.lost_post_id = p.id and d.found_post_id = ${post.id})
        or (d.lost_post_id = ${post.id} and d.found_post_id = p.id)))`);
}

/**
 * Writes the pairs that are new, each with the notice to the other post's author, and marks the post matched.
 * @returns the ids of the notices of this post that no mailbox has yet.
 */
export async function insertPairs(db: Db, post: MatchableRow, matches: Match[], now: number): Promise<string[]> {
  const pairs = matches.map(({ candidate, score, reasons }) => ({
    id: newId(),
    lost: post.posted_by === 'owner' ? post.id : candidate.id,
    found: post.posted_by === 'owner' ? candidate.id : post.id,
    other: candidate.id,
    recipient: candidate.author_id,
    score,
    reasons: JSON.stringify(reasons),
  }));
  const rows = sql`json_each(${JSON.stringify(pairs)}) j`;
  const field = (name: string) => sql.raw(`j.value ->> '${name}'`);
  const [, , , waiting] = await db.batch([
    db.run(sql`
      insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, created_at)
      select ${field('id')}, ${field('lost')}, ${field('found')}, ${field('score')}, ${field('reasons')}, ${now}
      from ${rows} where exists (select 1 from posts p where p.id = ${field('other')} and p.is_found = 0)
        and exists (select 1 from posts p where p.id = ${post.id} and p.is_found = 0)
      on conflict (lost_post_id, found_post_id) do nothing`),
    db.run(sql`
      insert into notices (id, recipient_id, type, post_id, your_post_id, created_at)
      select ${field('id')}, ${field('recipient')}, 'matching_post', ${post.id}, ${field('other')}, ${now}
      from ${rows} join match_pairs p on p.id = ${field('id')} where true
      on conflict (id) do nothing`),
    db.run(sql`
      update posts set match_pending_since = null
      where id = ${post.id} and match_pending_since = ${post.match_pending_since}`),
    db.all<{ id: string }>(sql`
      select id from notices where post_id = ${post.id} and handed_over_at is null`),
  ]);
  return waiting.map((row) => row.id);
}
