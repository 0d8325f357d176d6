import type { DatabaseSync } from 'node:sqlite';

/** The average number of posts of each person, over all years. */
const POSTS_A_PERSON = 20;
const COMMUNITIES_PER_POST = 1 / 500;
/** The number of communities that the account `reader` belongs to: the biggest ones. */
const MEMBERSHIPS = 5;

/** The number of posts of the account `reader`, the same at every size of the database. */
export const READER_POSTS = 60;
export const PASSWORD = 'tumaini la kesho';

/** The e-mail addresses of the accounts that send the measured requests. */
export const READERS = { reader: 'reader@example.com', admin: 'admin@example.com' } as const;

export function peopleAmong(posts: number): number {
  return Math.ceil(posts / POSTS_A_PERSON);
}

export function insertCommunities(db: DatabaseSync, size: number, now: number): string[] {
  const insert = db.prepare(`insert into communities (id, name, description, search_text, community_code, access_code,
      approval_status, creator_id, created_at) values (?, ?, '', ?, ?, ?, 1, 'admin', ?)`);
  return Array.from({ length: Math.max(10, size * COMMUNITIES_PER_POST) }, (_, at) => {
    const id = `community-${at}`;
    insert.run(id, `Jumuiya ${at}`, `jumuiya ${at}`, codeOf('K', at), codeOf('M', at), now);
    return id;
  });
}

/** Creates an access code or a community's public code. Both have no vowels and no 0 or 1. */
function codeOf(first: string, at: number): string {
  const letters = '23456789';
  return `${first}${Array.from({ length: 7 }, (_, place) => letters[Math.floor(at / 8 ** place) % 8]).join('')}`;
}

export function insertPeople(db: DatabaseSync, size: number, passwordHash: string, now: number): void {
  for (let at = 0; at < peopleAmong(size); at++)
    insertPerson(db, { id: `person-${at}`, email: `person-${at}@example.com`, passwordHash, now, at });
}

export function insertReaders(db: DatabaseSync, communities: string[], passwordHash: string, now: number): void {
  for (const [at, [id, email]] of Object.entries(READERS).entries())
    insertPerson(db, { id, email, passwordHash, now, at: 90_000_000 + at });
  db.exec(`update users set is_platform_admin = 1 where id = 'admin'`);
  const join = db.prepare(
    `insert into memberships (community_id, user_id, role, joined_at) values (?, 'reader', 'member', ?)`,
  );
  for (const community of communities.slice(0, MEMBERSHIPS)) join.run(community, now);
}

type Person = { id: string; email: string; passwordHash: string; now: number; at: number };

function insertPerson(db: DatabaseSync, { id, email, passwordHash, now, at }: Person): void {
  db.prepare(`insert into users (id, username, email, email_key, password_hash, created_at)
    values (?, ?, ?, ?, ?, ?)`).run(id, id, email, email, passwordHash, now);
  db.prepare('insert into phone_numbers (number, user_id, proven_at) values (?, ?, ?)').run(
    `+2557${String(at).padStart(8, '0')}`,
    id,
    now,
  );
}
