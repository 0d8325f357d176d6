import { DatabaseSync } from 'node:sqlite';
import { randomFrom } from '#tests/bench/matching/synthetic-posts.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { insertCommunities, insertPeople, insertReaders, PASSWORD } from './fill-people.ts';
import { fillPosts } from './fill-posts.ts';

const CACHE_KB = 1_000_000;

/** Fills an empty database with that many posts and their related rows, as the Worker would have written them. */
export async function fillDatabase(file: string, size: number, now: number): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec(`pragma synchronous = off; pragma cache_size = -${CACHE_KB}; pragma temp_store = memory;
    pragma foreign_keys = off`);
  const passwordHash = await hashPassword(PASSWORD);
  const parts = takeAway(db);
  db.exec('begin');
  const communities = insertCommunities(db, size, now);
  insertPeople(db, size, passwordHash, now);
  insertReaders(db, communities, passwordHash, now);
  db.exec('commit');
  fillPosts(db, { size, communities, now, random: randomFrom(size) });
  for (const { type, sql } of parts) if (type === 'index') db.exec(sql);
  fillSearchIndexes(db);
  for (const { type, sql } of parts) if (type === 'trigger') db.exec(sql);
  db.close();
}

type Part = { type: string; name: string; sql: string };

/** Drops indexes and triggers, to create them again when all rows exist. @returns their statements. */
function takeAway(db: DatabaseSync): Part[] {
  const parts = db
    .prepare(`select type, name, sql from sqlite_schema where sql is not null and (
      type = 'trigger' and tbl_name in ('posts', 'notices', 'search_meanings')
      or type = 'index' and tbl_name in ('posts', 'match_terms', 'match_readings', 'match_pairs', 'notices'))`)
    .all() as Part[];
  for (const { type, name } of parts) db.exec(`drop ${type} ${name}`);
  return parts;
}

function fillSearchIndexes(db: DatabaseSync): void {
  for (const index of ['posts_search', 'posts_visitor_search'])
    db.exec(`insert into ${index} (${index}) values ('rebuild')`);
}
