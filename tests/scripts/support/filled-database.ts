import { expect } from 'vitest';
import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { localTarget, readSchema } from '#scripts/restore/target.ts';
import { openDb } from '#worker/db/client.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';

type Row = Record<string, unknown>;

/** Texts that may break an SQL dump. */
const AWKWARD = [
  "Asha's ID; DROP TABLE posts; -- 'gone'",
  'two\nlines and C:\\new\\readme',
  'a\r\nb\\r\\nc\\\\n',
  'BEGIN\nCASE WHEN $1 THEN $tag$ END;',
  'kiatu 👟 “ndala” \u202e',
  '',
];

/** Creates demo people and posts, and rows of every awkward kind, such as a deleted newest post. */
export async function fill(db: LocalDatabase): Promise<void> {
  const copy = `INSERT INTO posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number,
      description, posted_by, kind, search_text, created_at)
    SELECT ?1, author_id, ?2, '', '', location || ' ndala', phone_number, ?2, posted_by, kind, ?2 || char(10) || 'ndala', created_at
    FROM posts WHERE seq = 1`;
  await db.batch([
    ...AWKWARD.map((text, index) => db.prepare(copy).bind(`awkward-${index}`, text)),
    db.prepare(copy).bind('last', 'deleted again'),
    db.prepare("DELETE FROM posts WHERE id = 'last'"),
    db.prepare(
      "INSERT INTO match_pairs (id, lost_post_id, found_post_id, score, reasons, created_at) VALUES ('a', 'b', 'c', 0.1 + 0.2, '[]', 1)",
    ),
    db
      .prepare("INSERT INTO feedback (id, email, message, created_at) VALUES ('f', 'a@example.com', ?, 1)")
      .bind(AWKWARD[1]),
  ]);
  await db.prepare('UPDATE posts SET match_pending_since = NULL').run();
  // As the sweep does little by little, and a restore at once.
  const unread = db.prepare(`
    SELECT 1 FROM search_meanings m JOIN posts p ON p.seq = m.post_seq
    WHERE m.version = '' AND p.match_pending_since IS NULL LIMIT 1`);
  while ((await unread.first()) !== null) await renewReadings(openDb({ DB: db }));
}

/** Returns everything: each table's rows, SQLite's counters, and the tables, indexes and triggers. */
export async function readAll(db: LocalDatabase) {
  const schema = await readSchema(localTarget(db));
  const names = [...schema.tables.map(({ name }) => name), 'sqlite_sequence'];
  // Ordered by row id, which is the order of writing.
  const queries = names.map((name) => db.prepare(`SELECT * FROM "${name}" ORDER BY rowid`));
  const results = await db.batch<Row>(queries);
  const rows: Record<string, Row[]> = Object.fromEntries(
    names.map((name, index) => [name, results[index]?.results ?? []]),
  );
  const parts = [...schema.tables, ...schema.views, ...schema.searchIndexes, ...schema.others]
    .map(({ sql }) => sql)
    .sort();
  return { rows, parts };
}

/** Posts, searches and joins like the Worker, so that the search index and every trigger run. */
export async function expectAtWork(db: LocalDatabase): Promise<void> {
  const find = (text: string) =>
    db.prepare('SELECT rowid FROM posts_search WHERE posts_search MATCH ?').bind(`"${text}"`).all<{ rowid: number }>();
  // Fails if the index does not match the posts.
  const check = () => db.prepare("INSERT INTO posts_search (posts_search, rank) VALUES ('integrity-check', 1)").run();
  await check();
  expect((await find('ndala')).results).toHaveLength(AWKWARD.length);
  const highest = await db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'posts'").first<number>('seq');
  const insert = `INSERT INTO posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number,
      description, posted_by, kind, search_text, created_at)
    SELECT 'new', author_id, '', '', '', '', '', '', 'owner', 'other', 'mwavuli mwekundu', 1 FROM posts LIMIT 1 RETURNING seq`;
  const seq = await db.prepare(insert).first<number>('seq');
  expect(seq).toBe((highest ?? 0) + 1);
  expect((await find('mwavuli')).results).toEqual([{ rowid: seq }]);
  await db.prepare("UPDATE posts SET search_text = 'kofia' WHERE id = 'new'").run();
  expect((await find('mwavuli')).results).toEqual([]);
  expect((await find('kofia')).results).toEqual([{ rowid: seq }]);
  await db.prepare("DELETE FROM posts WHERE id = 'new'").run();
  await check();
  await db.batch([
    db.prepare(`INSERT INTO memberships (community_id, user_id, role, joined_at)
      SELECT communities.id, users.id, 'member', 9 FROM communities, users
      WHERE NOT EXISTS (SELECT 1 FROM memberships WHERE community_id = communities.id AND user_id = users.id)`),
    db.prepare('DELETE FROM memberships WHERE joined_at > 9'),
  ]);
  const counts = await db
    .prepare(
      'SELECT member_count, (SELECT count(*) FROM memberships WHERE community_id = id) AS members FROM communities',
    )
    .all<{ member_count: number; members: number }>();
  expect(counts.results.length).toBeGreaterThan(0);
  for (const { member_count, members } of counts.results) expect(member_count).toBe(members);
}
