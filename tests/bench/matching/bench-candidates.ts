import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { applyMigrations } from '#scripts/database/apply-migrations.ts';
import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { openDb } from '#worker/db/client.ts';
import { lookupTerms } from '#worker/matching/index-terms.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import { findCandidates } from '#worker/matching/store.ts';
import { fillPosts, storePatterns } from './fill-posts.ts';
import { randomFrom, syntheticPosts } from './synthetic-posts.ts';

const PATTERNS = 20_000;
const QUESTIONS = 60;
const REPEATS = 3;

type Cost = { rows: number; ms: number; candidates: number };

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
  // The search index has a bench of its own and would take longer to fill than all the rest.
  await db.exec('drop trigger posts_search_insert');
  // Only a post's own terms are read by it, when they are written again; it takes most of the time of filling.
  await db.exec('drop index match_terms_by_post');
  await db
    .prepare(`insert into users (id, username, email, email_key, whatsapp_number, password_hash, created_at)
      values ('author', 'author', 'a@example.org', 'a@example.org', '255712345678', '', 0)`)
    .run();
  await storePatterns(db, syntheticPosts(PATTERNS, randomFrom(1)));
  console.log('posts'.padStart(10), 'rows read', '   most', '  ratio', '      ms', '  ratio', 'candidates');
  let filled = 0;
  let first: Cost | null = null;
  for (const size of sizes) {
    await fillPosts(db, 'author', filled + 1, size);
    filled = size;
    const costs = await measure(db);
    const mean = { rows: average(costs, 'rows'), ms: median(costs), candidates: average(costs, 'candidates') };
    first ??= mean;
    show(size, mean, Math.max(...costs.map((cost) => cost.rows)), first);
  }
}

async function measure(db: LocalDatabase): Promise<Cost[]> {
  const costs: Cost[] = [];
  const questions = syntheticPosts(QUESTIONS, randomFrom(99));
  for (const [index, question] of questions.entries()) {
    const post = { ...question, id: `question-${index}`, seq: -1, author_id: 'somebody', community_id: null } as never;
    const terms = lookupTerms(readPost(question));
    let best: Cost | null = null;
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const tally = { rows: 0 };
      const started = performance.now();
      const candidates = await findCandidates(openDb({ DB: counting(db, tally) }), post, terms);
      const ms = performance.now() - started;
      if (best === null || ms < best.ms) best = { rows: tally.rows, ms, candidates: candidates.length };
    }
    if (best !== null) costs.push(best);
  }
  return costs;
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

function average(costs: Cost[], key: 'rows' | 'candidates'): number {
  return costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
}

function median(costs: Cost[]): number {
  return costs.map((cost) => cost.ms).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
}

function show(size: number, mean: Cost, most: number, first: Cost): void {
  const cells = [
    size.toLocaleString('en').padStart(10),
    mean.rows.toFixed(0).padStart(9),
    String(most).padStart(7),
    `${(mean.rows / first.rows).toFixed(2)}×`.padStart(7),
    mean.ms.toFixed(1).padStart(8),
    `${(mean.ms / first.ms).toFixed(2)}×`.padStart(7),
    mean.candidates.toFixed(0).padStart(10),
  ];
  console.log(cells.join(' '));
}
