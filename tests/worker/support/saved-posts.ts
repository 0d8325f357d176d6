import { env } from 'cloudflare:workers';
import type { PostedBy } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { deriveKind } from '#worker/matching/derive-kind.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { sweep } from '#worker/sweep.ts';

type Draft = { posted_by: string; title: string; description?: string; location?: string; communityId?: string };

/** A post as a Worker leaves it that dies right after it was saved: waiting to be matched. */
export async function savePost(author: { id: string }, draft: Draft): Promise<string> {
  const id = crypto.randomUUID();
  const text = { location: '', owner_first_name: '', owner_last_name: '', description: '', ...draft };
  await env.DB.prepare(
    `insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location, phone_number,
       description, posted_by, kind, search_text, created_at, changed_at, match_pending_since)
     values (?1, ?2, ?3, ?4, '', '', ?5, '0712345678', ?6, ?7, ?9, '', ?8, ?8, ?8)`,
  )
    .bind(
      id,
      author.id,
      draft.communityId ?? null,
      draft.title,
      draft.location ?? 'Kariakoo, Dar es Salaam',
      draft.description ?? '',
      draft.posted_by,
      Date.now(),
      deriveKind({ ...text, posted_by: draft.posted_by as PostedBy }),
    )
    .run();
  return id;
}

/** Saves the post and has it matched to the end. */
export async function postAndMatch(author: { id: string }, draft: Draft): Promise<string> {
  const id = await savePost(author, draft);
  await matchPost(env, openDb(env), id);
  return id;
}

/** From now on no post that is there already is found by another one: not even as a possible match. */
export async function forgetPosts(): Promise<void> {
  await env.DB.exec('delete from match_terms');
}

/** The sweep as it runs that many minutes from now. */
export function sweepIn(minutes: number): Promise<void> {
  return sweep(env, Date.now() + minutes * 60_000);
}

/** Everything that D1 knows of the notices about a post. */
export async function noticesAbout(postId: string) {
  const { results } = await env.DB.prepare(
    'select id, recipient_id, post_id, your_post_id, delivered_at is not null as is_delivered from notices where post_id = ?1 or your_post_id = ?1',
  )
    .bind(postId)
    .all<{ id: string; recipient_id: string; post_id: string; your_post_id: string; is_delivered: 0 | 1 }>();
  return results;
}

/** The pairs that are, or were, sure: two people's phones of one make are a possible one. */
export async function pairsOf(postId: string) {
  const { results } = await env.DB.prepare(
    `select id, is_current, dismissed_at from match_pairs
     where (lost_post_id = ?1 or found_post_id = ?1) and notice_id is not null`,
  )
    .bind(postId)
    .all<{ id: string; is_current: 0 | 1; dismissed_at: number | null }>();
  return results;
}
