import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postListQuerySchema } from '#contract/posts.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { applyMigrations, type LocalDatabase, withLocalDatabase } from '#scripts/database/local-database.ts';
import { openDb } from '#worker/db/client.ts';
import { deriveKind } from '#worker/matching/match-post.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';
import { listPosts } from '#worker/posts/list-posts.ts';
import { searchTextsOf } from '#worker/posts/search-texts.ts';
import { rateAmong } from './rates.ts';
import { type FixturePair, readFixtures, showPost } from './read-fixtures.ts';

// npm run bench:search -- PAIRS.tsv [--verbose]: how often a search for an owner's own words has the finder's post in
// its first ten results. The search covers every found post of the file.

const FIRST = 10;
const PARTS = ['words', 'with meaning', 'with near'];
const QUERIES: Record<string, (pair: FixturePair) => string> = {
  'the title': ({ lost }) => lost.title,
  'two words and the place': ({ lost }) => `${lost.title.split(/\s+/).slice(0, 2).join(' ')} ${lost.location}`,
};

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const [path = join(import.meta.dirname, 'fixtures.tsv')] = process.argv
  .slice(2)
  .filter((argument) => !options.includes(argument));
const pairs = readFixtures(path);
// Loads wrangler before the database is opened: loading takes seconds, in which an idle connection would be closed.
await import('wrangler');
const rows = pairs.map(({ id, found }, index) => {
  const kind = deriveKind(found);
  const texts = searchTextsOf(found, kind, null);
  const { title, owner_first_name, owner_last_name, location, description } = found;
  return [
    ...[id, title, owner_first_name, owner_last_name, location, description, kind],
    ...[texts.search_text, texts.reader_text ?? null, texts.visitor_text ?? null, texts.search_version ?? 0, index + 1],
  ];
});
const folder = mkdtempSync(join(tmpdir(), 'patikana-search-'));
try {
  await withLocalDatabase(folder, measure);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(db: LocalDatabase): Promise<void> {
  await fill(db);
  const same = pairs.filter(({ isSame }) => isSame);
  console.log(`${same.length} owners among ${pairs.length} found posts, recall among the first ${FIRST}:`);
  for (const [name, queryOf] of Object.entries(QUERIES)) {
    const found: { place: number; part: number }[] = [];
    for (const pair of same) {
      const { place, part } = await find(db, queryOf(pair), pair.id);
      found.push({ place, part });
      if (options.includes('--verbose') && (place < 0 || place >= FIRST))
        console.error(`${pair.id} ${place < 0 ? 'not found' : place + 1} "${queryOf(pair)}" → ${showPost(pair.found)}`);
    }
    for (const [most, label] of PARTS.entries()) {
      const { hits, of, rate } = rateAmong(found, ({ place, part }) => place >= 0 && place < FIRST && part <= most);
      console.log(`  by ${name}, ${label}: ${(100 * rate).toFixed(1)} % (${hits} of ${of})`);
    }
  }
}

/** Stores the found posts in the order of the file. Then analyses them for the search, as the scheduled sweep does. */
async function fill(db: LocalDatabase): Promise<void> {
  await applyMigrations(db, join(PROJECT_ROOT, 'migrations'));
  await db
    .prepare(`insert into users (id, username, email, email_key, password_hash, created_at)
      values ('author', 'author', 'a@example.org', 'a@example.org', '', 0)`)
    .run();
  const insert = db.prepare(`
    insert into posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number, description, posted_by,
      kind, search_text, reader_text, visitor_text, search_version, created_at)
    values (?, 'author', ?, ?, ?, ?, '0712345678', ?, 'finder', ?, ?, ?, ?, ?, ?)`);
  await db.batch(rows.map((row) => insert.bind(...row)));
  const unread = db.prepare("select 1 from search_meanings where version = '' limit 1");
  while ((await unread.first()) !== null) await renewReadings(openDb({ DB: db }));
}

/** Returns the post's place in the results (from 0; -1 if it is missing), and its part (an index of `SEARCH_PARTS`). */
async function find(db: LocalDatabase, search: string, id: string): Promise<{ place: number; part: number }> {
  const reader = { db: openDb({ DB: db }), viewer: null, networks: [], limits: null, config: {} as never };
  const query = postListQuerySchema.parse({ search: search.slice(0, 500), limit: '20' });
  const { page } = await listPosts(reader, query);
  const place = page.rows.findIndex((row) => row.id === id);
  return { place, part: page.rows[place]?.part ?? 0 };
}
