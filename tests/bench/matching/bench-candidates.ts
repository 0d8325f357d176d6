import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { applyMigrations, type LocalDatabase, withLocalDatabase } from '#scripts/database/local-database.ts';
import { openDb } from '#worker/db/client.ts';
import { findCandidates } from '#worker/matching/find-candidates.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import type { CandidateRow } from '#worker/matching/match-types.ts';
import { decodeReading, encodeReading, type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { randomFrom, syntheticPosts } from './synthetic-posts.ts';

const PATTERNS = 20_000;
const QUESTIONS = 60;
const REPEATS = 3;

type Cost = {
  rows: number;
  ms: number;
  candidates: number;
  /** The Worker's processor time to analyse the post and judge its candidates, without the database's time. */
  cpuMs: number;
};

/** How many terms of patterns one statement inserts. A pattern is a synthetic post. Each later post copies one. */
const TERMS_PER_STATEMENT = 12_000;
const PATTERNS_PER_STATEMENT = 1_000;
const POSTS_PER_STATEMENT = 50_000;

const given = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const sizes = (given.length > 0 ? given.map(Number) : [10_000, 100_000, 1_000_000]).sort((a, b) => a - b);
const folder = mkdtempSync(join(tmpdir(), 'patikana-candidates-'));
try {
  await withLocalDatabase(folder, run);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(db: LocalDatabase): Promise<void> {
  await applyMigrations(db, join(PROJECT_ROOT, 'migrations'));
  // Drops the trigger of the search index. This index has its own benchmark, and is slow to fill.
  await db.exec('drop trigger posts_search_insert');
  // Drops another index that is slow to fill. Only a change of a post's terms reads this index.
  await db.exec('drop index match_terms_by_post');
  await db
    .prepare(`insert into users (id, username, email, email_key, password_hash, created_at)
      values ('author', 'author', 'a@example.org', 'a@example.org', '', 0)`)
    .run();
  await storePatterns(db, syntheticPosts(PATTERNS, randomFrom(1)));
  console.log(
    'posts'.padStart(10),
    'rows read',
    '   most',
    '  ratio',
    '      ms',
    '  ratio',
    'candidates',
    '  cpu ms',
    '    most',
  );
  let filled = 0;
  let first: Cost | null = null;
  for (const size of sizes) {
    await fillPosts(db, 'author', filled + 1, size);
    filled = size;
    const costs = await measure(db, size);
    const mean = {
      rows: average(costs, 'rows'),
      ms: median(costs),
      candidates: average(costs, 'candidates'),
      cpuMs: average(costs, 'cpuMs'),
    };
    first ??= mean;
    const most = { rows: mostOf(costs, 'rows'), cpuMs: mostOf(costs, 'cpuMs') };
    show(size, mean, most, first);
  }
}

async function measure(db: LocalDatabase, size: number): Promise<Cost[]> {
  const costs: Cost[] = [];
  const questions = syntheticPosts(QUESTIONS, randomFrom(99));
  for (const [index, question] of questions.entries()) {
    const post = { ...question, id: `question-${index}`, seq: -1, author_id: 'somebody', community_id: null } as never;
    const terms = lookupTerms(readPost(question));
    const tried: Cost[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const tally = { rows: 0 };
      const started = performance.now();
      const candidates = await findCandidates(openDb({ DB: counting(db, tally) }), post, terms);
      const ms = performance.now() - started;
      const cpuMs = timeMatching(question, candidates, size);
      tried.push({ rows: tally.rows, ms, candidates: candidates.length, cpuMs });
    }
    const [fastest] = tried.sort((a, b) => a.ms - b.ms);
    if (fastest !== undefined) costs.push({ ...fastest, cpuMs: Math.min(...tried.map(({ cpuMs }) => cpuMs)) });
  }
  return costs;
}

/**
 * Returns the processor time, in milliseconds, that a new post costs a warm Worker: to analyse the post, to decode the
 * stored analysis of each candidate, and to judge each candidate.
 */
function timeMatching(question: MatchablePost, candidates: CandidateRow[], openPosts: number): number {
  const stored = candidates.map((candidate) => encodeReading(readPost(candidate)));
  const competition = { openPosts, shareOf: () => null };
  const before = process.cpuUsage();
  const reading = readPost(question);
  encodeReading(reading);
  indexTerms(reading);
  lookupTerms(reading);
  for (const other of stored) judgePair(reading, decodeReading(other), competition);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Wraps the methods of D1 that `findCandidates` calls. Adds the number of rows that D1 has read to `tally.rows`. */
function counting(db: LocalDatabase, tally: { rows: number }): Parameters<typeof openDb>[0]['DB'] {
  const all = async (text: string, values: unknown[]): Promise<unknown> => {
    const result = await db
      .prepare(text)
      .bind(...(values as string[]))
      .all();
    tally.rows += result.meta.rows_read ?? 0;
    return result;
  };
  const prepare = (text: string) => ({ bind: (...values: unknown[]) => ({ all: () => all(text, values) }) });
  return { withSession: () => ({ prepare }) } as never;
}

function mostOf(costs: Cost[], key: 'rows' | 'cpuMs'): number {
  return Math.max(...costs.map((cost) => cost[key]));
}

function average(costs: Cost[], key: 'rows' | 'candidates' | 'cpuMs'): number {
  return costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
}

function median(costs: Cost[]): number {
  return costs.map((cost) => cost.ms).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
}

function show(size: number, mean: Cost, most: Pick<Cost, 'rows' | 'cpuMs'>, first: Cost): void {
  const cells = [
    size.toLocaleString('en').padStart(10),
    mean.rows.toFixed(0).padStart(9),
    String(most.rows).padStart(7),
    `${(mean.rows / first.rows).toFixed(2)}×`.padStart(7),
    mean.ms.toFixed(1).padStart(8),
    `${(mean.ms / first.ms).toFixed(2)}×`.padStart(7),
    mean.candidates.toFixed(0).padStart(10),
    mean.cpuMs.toFixed(1).padStart(8),
    most.cpuMs.toFixed(1).padStart(8),
  ];
  console.log(cells.join(' '));
}

/**
 * Stores the patterns, which are synthetic posts. Each later post copies one pattern, because people lose the same
 * things in the same places.
 */
async function storePatterns(db: LocalDatabase, posts: MatchablePost[]): Promise<void> {
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

/** Inserts terms in the index's order, so that the database appends rows instead of scattering them. */
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
async function fillPosts(db: LocalDatabase, authorId: string, from: number, to: number): Promise<void> {
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
