/// <reference types="vite/types/importMeta.d.ts" />
import { env, exports } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { PostedBy } from '#contract/kinds.ts';
import type { Photo } from '#contract/photos.ts';
import type { Confidence } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { deriveKind, matchPost, readPending } from '#worker/matching/match-post.ts';
import { storePairs } from '#worker/matching/write-pairs.ts';
import { deliverToMailboxes } from '#worker/notices/deliver-notices.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow } from '#worker/posts/post-columns.ts';
import { searchTextsOf } from '#worker/posts/search-texts.ts';
import { sweep } from '#worker/sweep.ts';
import { type Caller, checkAnswer, newPost, ORIGIN, type Person, somePost } from './api.ts';

/**
 * How many rows one statement inserts. The values of all rows are bound as one JSON text, because D1 allows a statement
 * at most 100 bound parameters.
 */
const ROWS_PER_STATEMENT = 1_000;

/** Inserts posts into D1, oldest first, by the thousand: faster than the API, and without its daily limit. */
export async function insertPosts(
  authorId: string,
  titles: string[],
  { communityId = null, postedBy = 'finder' }: { communityId?: string | null; postedBy?: string } = {},
): Promise<void> {
  const rows = titles.map((title) => {
    const post = { ...somePost, title, posted_by: 'finder' as const };
    return { id: crypto.randomUUID(), title, ...searchTextsOf(post, 'electronics', communityId) };
  });
  const statements = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const values = JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT));
    statements.push(
      env.DB.prepare(
        `insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location,
           phone_number, description, posted_by, kind, search_text, visitor_text, search_version, created_at)
         select j.value ->> 'id', ?1, ?2, j.value ->> 'title', '', '', ?3, ?4, ?5, ?6, 'electronics',
           j.value ->> 'search_text', j.value ->> 'visitor_text', j.value ->> 'search_version', ?7
         from json_each(?8) j order by j.key`,
      ).bind(
        authorId,
        communityId,
        somePost.location,
        somePost.phone_number,
        somePost.description,
        postedBy,
        Date.now(),
        values,
      ),
    );
  }
  await env.DB.batch(statements);
}

type Draft = { posted_by: string; title: string; description?: string; location?: string; communityId?: string };

/** Saves a post without matching it, like a Worker that dies right after saving. */
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

/** Saves the post and matches it completely. */
export async function postAndMatch(author: { id: string }, draft: Draft): Promise<string> {
  const id = await savePost(author, draft);
  await matchPost(env, openDb(env), id);
  return id;
}

/** Removes all posts from the matching's index, so that no existing post matches any more. */
export async function forgetPosts(): Promise<void> {
  await env.DB.exec('delete from match_terms');
}

/** Runs the scheduled sweep as if this many minutes had passed. */
export function sweepIn(minutes: number): Promise<void> {
  return sweep(env, Date.now() + minutes * 60_000);
}

/** Returns all rows of the table `notices` that are about the post. */
export async function noticesAbout(postId: string) {
  const { results } = await env.DB.prepare(
    'select id, recipient_id, post_id, your_post_id, delivered_at is not null as is_delivered from notices where post_id = ?1 or your_post_id = ?1',
  )
    .bind(postId)
    .all<{ id: string; recipient_id: string; post_id: string; your_post_id: string; is_delivered: 0 | 1 }>();
  return results;
}

/** The post's pairs that are or were sure matches. */
export async function pairsOf(postId: string) {
  const { results } = await env.DB.prepare(
    `select id, is_current, dismissed_at from match_pairs
     where (lost_post_id = ?1 or found_post_id = ?1) and notice_id is not null`,
  )
    .bind(postId)
    .all<{ id: string; is_current: 0 | 1; dismissed_at: number | null }>();
  return results;
}

/** The matched posts, each with its confidence and score. */
type Verdicts = Record<string, Confidence | { confidence: Confidence; score: number }>;

/** Saves a post that counts as matched, without any matches. */
export async function saveMatched(author: { id: string }, posted_by: 'owner' | 'finder'): Promise<string> {
  const id = await savePost(author, { posted_by, title: 'Mwavuli' });
  await env.DB.prepare('update posts set match_pending_since = null where id = ?').bind(id).run();
  return id;
}

/** Stores these verdicts as if the matching had made them. Only for tests that do not check how posts are compared. */
export async function judge(postId: string, verdicts: Verdicts, bindings: Env = env): Promise<void> {
  const db = openDb(bindings);
  const now = Date.now();
  await db.run(sql`update posts set match_pending_since = ${now} where id = ${postId}`);
  const post = await readPending(db, postId);
  if (!post) throw new Error('The post is not there, or not open');
  const candidates = await db.all<PostRow>(sql`
    select ${POST_COLUMNS} ${FROM_POSTS} where p.id in (select value from json_each(${JSON.stringify(Object.keys(verdicts))}))`);
  const matches = candidates.map((candidate) => {
    const verdict = verdicts[candidate.id] ?? 'sure';
    const { confidence, score } = typeof verdict === 'string' ? { confidence: verdict, score: 0.5 } : verdict;
    return { candidate: { ...candidate, shares_identifier: 0 as const }, confidence, score, reasons: [] };
  });
  const judgement = { post, matches, config: readConfig(bindings), startedAt: now, now: Date.now() };
  await deliverToMailboxes(bindings, db, await storePairs(db, judgement));
}

const FILES = import.meta.glob<string>('/tests/support/pictures/*.{jpg,png,webp,gif}', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** Returns the bytes of a file in tests/support/pictures. */
export function picture(name: string): Uint8Array {
  const [, base64 = ''] = FILES[`/tests/support/pictures/${name}`]?.split(',') ?? [];
  if (base64 === '') throw new Error(`No picture ${name}`);
  return Buffer.from(base64, 'base64');
}

export async function sendPhoto(
  postId: string,
  { token, headers }: Caller,
  bytes: Uint8Array,
  { type = 'image/jpeg', alt = '' } = {},
): Promise<Response> {
  const url = `${ORIGIN}/api/posts/${postId}/photos${alt && `?${new URLSearchParams({ alt })}`}`;
  const answer = await exports.default.fetch(
    new Request(url, {
      method: 'POST',
      headers: { 'Content-Type': type, ...(token && { Authorization: `Bearer ${token}` }), ...headers },
      body: bytes,
    }),
  );
  await checkAnswer('POST', url, answer);
  return answer;
}

export async function newPhoto(postId: string, author: Person, name = 'grey.jpg', alt = ''): Promise<Photo> {
  const answer = await sendPhoto(postId, author, picture(name), { alt });
  if (answer.status !== 201) throw new Error(`Uploading answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Photo>();
}

/** A photo without its objects in the bucket, for tests that need no picture. */
export async function insertPhoto(postId: string, author: { id: string }, position = 0): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
     values (?, ?, ?, ?, 320, 240, '', 1, 0)`,
  )
    .bind(id, postId, author.id, position)
    .run();
  return id;
}

export async function newPostWithPhoto(author: Person, overrides: Record<string, unknown> = {}) {
  const post = await newPost(author, overrides);
  return { post, photo: await newPhoto(post.id, author) };
}

/** Requests a picture as a browser does. */
export function load(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { headers }));
}

export async function bytesAt(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await load(path)).arrayBuffer());
}

/** The names of all objects in the bucket. */
export async function objects(): Promise<string[]> {
  const { objects: listed } = await env.PHOTOS.list();
  return listed.map(({ key }) => key).sort();
}

export async function rows(table: 'photos' | 'photo_leftovers'): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(`select * from ${table}`).all()).results;
}
