import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';

const COMMUNITIES_AT_ONCE = 5;
const MEMBERS_AT_ONCE = 500;

/** Communities that are over and not closed yet, a bounded number of them, whose time came first. */
export function listToClose(db: Db, now: number) {
  return queryRows(db, idRow)`
    select id from communities where closed_at is null and closes_at <= ${now}
    order by closes_at, id limit ${COMMUNITIES_AT_ONCE}`;
}

/**
 * Statements, to be run until the last of them says that it is closed: a bounded number of members is out. Nobody comes in
 * meanwhile, as it is past its time.
 */
export function emptyStatements(db: Db, id: string) {
  return [
    db.run(sql`
      delete from memberships where community_id = ${id} and user_id in (
        select m.user_id from memberships m where m.community_id = ${id} limit ${MEMBERS_AT_ONCE})`),
    db.run(sql`delete from join_requests where community_id = ${id}`),
    db.run(sql`delete from community_removals where community_id = ${id}`),
  ] as const;
}

/**
 * Statements, after those and those that let its posts rest: once nobody is in it and none of its posts is looked for, it is
 * closed. It stays for the posts that are in it, which its code goes on to name; without any it is gone.
 */
export function closeStatements(db: Db, id: string, now: number) {
  const isEmpty = sql`id = ${id} and member_count = 0 and closed_at is null`;
  const hasPosts = sql`exists (select 1 from posts p where p.community_id = communities.id)`;
  const hasOpenPosts = sql`exists (
    select 1 from posts p where p.community_id = communities.id and p.is_found = 0 and p.away_since is null)`;
  return [
    db.run(sql`delete from communities where ${isEmpty} and not ${hasPosts}`),
    db.run(sql`
      update communities set closed_at = ${now}, access_code = lower(hex(randomblob(16))),
        pending_name = null, pending_name_by = null, pending_name_at = null
      where ${isEmpty} and not ${hasOpenPosts}`),
  ] as const;
}
