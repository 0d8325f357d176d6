import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';

/** Terms in one statement. Each creates as many rows as there are similar posts. */
const TERMS_PER_STATEMENT = 12_000;
const PATTERNS_PER_STATEMENT = 1_000;
const POSTS_PER_STATEMENT = 50_000;

/**
 * After the first few thousand, every post repeats one of these, because people lose the same things in the same
 * places.
 */
export async function storePatterns(db: LocalDatabase, posts: MatchablePost[]): Promise<void> {
  await db.exec('create table patterns (n integer primary key, posted_by text, title text, location text)');
  await db.exec('create table pattern_terms (k integer primary key, posted_by text, term text, n integer)');
  for (let from = 0; from < posts.length; from += PATTERNS_PER_STATEMENT) {
    const rows = posts.slice(from, from + PATTERNS_PER_STATEMENT).map((post, index) => {
      return { n: from + index, by: post.posted_by, title: post.title, at: post.location };
    });
    const insert = `insert into patterns select value ->> 'n', value ->> 'by', value ->> 'title', value ->> 'at' from json_each(?1)`;
    await db.prepare(insert).bind(JSON.stringify(rows)).run();
  }
  await storeTermsInOrder(db, posts);
}

/** In the index's order, so that a million posts are appended rather than scattered. */
async function storeTermsInOrder(db: LocalDatabase, posts: MatchablePost[]): Promise<void> {
  const terms = posts
    .flatMap((post, n) => indexTerms(readPost(post)).map((term) => ({ by: post.posted_by, term, n })))
    .sort((a, b) => compare(a.by, b.by) || compare(a.term, b.term) || a.n - b.n);
  for (let from = 0; from < terms.length; from += TERMS_PER_STATEMENT) {
    const insert = `insert into pattern_terms (posted_by, term, n)
      select value ->> 'by', value ->> 'term', value ->> 'n' from json_each(?1) order by key`;
    await db
      .prepare(insert)
      .bind(JSON.stringify(terms.slice(from, from + TERMS_PER_STATEMENT)))
      .run();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Adds the posts numbered `from` to `to` with their terms. */
export async function fillPosts(db: LocalDatabase, authorId: string, from: number, to: number): Promise<void> {
  const patterns = (await db.prepare('select count(*) as n from patterns').first<{ n: number }>())?.n ?? 0;
  const terms = (await db.prepare('select count(*) as n from pattern_terms').first<{ n: number }>())?.n ?? 0;
  for (let start = from; start <= to; start += POSTS_PER_STATEMENT) {
    const insert = `
      with recursive numbers (seq) as (select ?1 union all select seq + 1 from numbers where seq < ?2)
      insert into posts (seq, id, author_id, title, owner_first_name, owner_last_name, location, phone_number,
        description, posted_by, kind, search_text, created_at)
      select seq, 'post-' || seq, ?3, title, '', '', location, '0712345678', '', posted_by, 'other', '', 1700000000000 + seq
      from numbers join patterns on n = seq % ?4`;
    await db
      .prepare(insert)
      .bind(start, Math.min(start + POSTS_PER_STATEMENT - 1, to), authorId, patterns)
      .run();
  }
  const rounds = Math.ceil((to + 1) / patterns);
  const step = Math.max(1, Math.floor((TERMS_PER_STATEMENT * 20) / rounds));
  for (let start = 1; start <= terms; start += step) {
    const insert = `
      with recursive rounds (r) as (select 0 union all select r + 1 from rounds where r < ?1)
      insert into match_terms (posted_by, term, post_seq)
      select posted_by, term, n + r * ?2 as seq from pattern_terms cross join rounds
      where k between ?3 and ?4 and n + r * ?2 between ?5 and ?6 order by posted_by, term, seq`;
    await db
      .prepare(insert)
      .bind(rounds, patterns, start, start + step - 1, from, to)
      .run();
  }
}
