import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import {
  blocks,
  claimSteps,
  claims,
  communities,
  joinRequests,
  memberships,
  moderationLog,
  noticeSettings,
  notices,
  phoneNumbers,
  posts,
  users,
} from '#worker/db/schema.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import { claimRows } from './claim-rows.ts';
import { DEMO_CLAIMS } from './demo-claims.ts';
import { DEMO_COMMUNITIES, DEMO_USERS } from './demo-people.ts';
import { DEMO_POSTS } from './demo-posts.ts';
import type { LocalDatabase } from './local-database.ts';
import {
  blockRows,
  communityRows,
  type Ids,
  joinRequestRows,
  logRows,
  membershipRows,
  numberRows,
  settingsRows,
  userRows,
} from './people-rows.ts';
import { moderationRows, postRow } from './post-rows.ts';

export async function hasUsers(db: LocalDatabase): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM users LIMIT 1').first()) !== null;
}

/** Whether the demo accounts exist in this database. */
export async function hasDemoUsers(db: LocalDatabase): Promise<boolean> {
  const query = db.prepare('SELECT 1 FROM users WHERE email_key = ?').bind(emailKey(DEMO_USERS.neema.email));
  return (await query.first()) !== null;
}

/**
 * Writes the demo data in one transaction, using the Worker's own tables and rules.
 * @param origin the app's origin.
 */
export async function seed(local: LocalDatabase, origin: string, now = Date.now()): Promise<void> {
  const db = drizzle(local);
  const madePosts = DEMO_POSTS.map((post) => ({ post, id: newId() }));
  const postNamed = (name: string) => {
    const made = madePosts.find(({ post }) => post.name === name);
    if (!made) throw new Error(`No demo post has the name ${name}`);
    return made.id;
  };
  const ids: Ids = { users: newIds(DEMO_USERS), communities: newIds(DEMO_COMMUNITIES), postNamed };
  // Lists go by the order in which posts were written.
  const oldestFirst = madePosts.toSorted((one, other) => other.post.ageMs - one.post.ageMs);
  const written = oldestFirst.map(({ post, id }) => ({ post, row: postRow(post, id, ids, now) }));
  const claimed = DEMO_CLAIMS.flatMap((claim) => {
    const made = written.find(({ row }) => row.id === postNamed(claim.post));
    return made ? [claimRows(claim, made.row, ids.users[claim.claimant], now)] : [];
  });
  const statements: BatchItem<'sqlite'>[] = [
    ...(await userRows(ids, origin, now)).map((row) => db.insert(users).values(row)),
    ...numberRows(ids, now).map((row) => db.insert(phoneNumbers).values(row)),
    ...settingsRows(ids).map((row) => db.insert(noticeSettings).values(row)),
    ...communityRows(ids, now).map((row) => db.insert(communities).values(row)),
    ...membershipRows(ids, now).map((row) => db.insert(memberships).values(row)),
    ...joinRequestRows(ids, now).map((row) => db.insert(joinRequests).values(row)),
    ...written.flatMap(({ post, row }) => [
      db.insert(posts).values(row),
      ...moderationRows(db, { post, row, ids, now }),
    ]),
    ...claimed.flatMap(({ claim, stepRows, noticeRows }) => [
      db.insert(claims).values(claim),
      ...stepRows.map((row) => db.insert(claimSteps).values(row)),
      ...noticeRows.map((row) => db.insert(notices).values(row)),
    ]),
    ...blockRows(ids, now).map((row) => db.insert(blocks).values(row)),
    ...logRows(ids, now).map((row) => db.insert(moderationLog).values(row)),
  ];
  await db.batch(statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]);
}

function newIds<Name extends string>(things: Record<Name, unknown>): Record<Name, string> {
  return Object.fromEntries(Object.keys(things).map((name) => [name, newId()])) as Record<Name, string>;
}
