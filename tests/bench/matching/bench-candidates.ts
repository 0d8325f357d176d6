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
import { fillPosts, storePatterns } from './fill-posts.ts';
import { randomFrom, syntheticPosts } from './synthetic-posts.ts';

const PATTERNS = 20_000;
const QUESTIONS = 60;
const REPEATS = 3;

type Cost = {
  rows: number;
  ms: number;
  candidates: number;
  /** The Worker's own processor time to read the post and judge its candidates. The database's time is separate. */
  cpuMs: number;
};

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
  // Without the search index, which has its own benchmark and takes longest to fill.
  await db.exec('drop trigger posts_search_insert');
  // Only a rewrite of a post's own terms reads this index, which takes most of the time to fill.
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
 * The work that one more post causes in a warm Worker: it reads the post, prepares the stored readings, and judges each
 * candidate.
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

/** As much of D1 as one query needs, noting what it says that it read. */
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
