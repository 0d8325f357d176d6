import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DEVICE_UNUSED_DAYS, DEVICES_MAX, SESSION_LIFETIME_DAYS } from '#contract/limits.ts';
import { type Db, type Handle, readAs, writeAs } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { devices } from '#worker/db/schema.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { endSubscriptionsOfSessions } from '#worker/push/index.ts';
import { deviceRow } from './device-rules.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** A session and where it is. */
export type SeenDevice = { id: string; userId: string; name: string };

/** Statements: somebody is signed in there, if the condition holds; the account's oldest devices make room. */
export function keepDevice(db: Handle, { id, userId, name }: SeenDevice, now: number, condition = sql`true`) {
  const live = sql`from devices where user_id = ${userId} and ended_at is null`;
  return [
    db.run(sql`
      insert into devices (id, user_id, name, created_at, last_seen_at)
      select ${id}, ${userId}, ${name}, ${now}, ${now} where ${condition}
      on conflict (id) do update set last_seen_at = excluded.last_seen_at, name = excluded.name
      where user_id = excluded.user_id and ended_at is null`),
    endDevices(
      db,
      sql`user_id = ${userId} and id not in (select id ${live} order by created_at desc, rowid desc limit ${DEVICES_MAX})`,
      now,
    ),
  ] as const;
}

/** Statement: the devices for which the condition holds are signed out. @returns the ids of those that were not yet. */
export function endDevices(db: Handle, which: SQL, now: number) {
  return queryRows(db, idRow)`
    update devices set ended_at = ${now}, name = '' where ended_at is null and ${which} returning id`;
}

/** The viewer's token is about to be renewed: their session goes on, at the same device. */
export async function renewDevice(db: Db, viewer: Viewer, name: string, now: number): Promise<void> {
  const { userId, sessionId } = viewer;
  await writeAs(db.repeatable, viewer, keepDevice(db.repeatable, { id: sessionId, userId, name }, now));
}

/** Where the viewer is signed in, the last one seen first. */
export async function listDevices(db: Db, viewer: Viewer) {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, deviceRow)`
      select id, name, created_at, last_seen_at from devices
      where user_id = ${viewer.userId} and ended_at is null
      order by last_seen_at desc, created_at desc, id limit ${DEVICES_MAX}`,
  ]);
  return rows;
}

/** @returns false when the viewer has no such device. */
export async function endDevice(db: Db, viewer: Viewer, id: string, now: number): Promise<boolean> {
  const [ended] = await writeAs(db, viewer, [endDevices(db, sql`user_id = ${viewer.userId} and id = ${id}`, now)]);
  return ended.length > 0;
}

/** The device was used; that is written once an hour. */
export async function recordUse(db: Db, sessionId: string, now: number): Promise<void> {
  await db.run(sql`
    update devices set last_seen_at = ${now}
    where id = ${sessionId} and ended_at is null and last_seen_at <= ${now - HOUR_MS}`);
}

const versionRow = () => z.object({ token_version: z.number() });
const sessionRow = () => z.object({ id: z.string(), is_ended: z.literal([0, 1]) });

/** What the user's object is to be told: who may stay, and whose sockets are still to be closed. */
export async function readSessions(db: Db, userId: string) {
  const [[account], sessions] = await db.batch([
    queryRows(db, versionRow)`select token_version from users where id = ${userId}`,
    queryRows(db, sessionRow)`
      select id, ended_at is not null as is_ended from devices where user_id = ${userId} and closed_at is null`,
  ]);
  const idsOf = (isEnded: 0 | 1) => sessions.flatMap((session) => (session.is_ended === isEnded ? session.id : []));
  return { tokenVersion: account?.token_version ?? null, live: idsOf(0), ended: idsOf(1) };
}

/** Their sockets are closed: nothing reaches these devices any more, nor does a push. */
export async function markClosed(db: Db, ids: string[], now: number): Promise<void> {
  const ended = sql`select value from json_each(${JSON.stringify(ids)})`;
  await db.repeatable.batch([
    endSubscriptionsOfSessions(db, ended),
    db.run(sql`update devices set closed_at = ${now} where id in (${ended})`),
  ]);
}

const userRow = () => z.object({ user_id: z.string() });

/** Whose devices have ended before, with sockets that may still be open. */
export async function listUsersToClose(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await queryRows(db, userRow)`
    select distinct user_id from devices where ended_at < ${before} and closed_at is null limit ${limit}`;
  return rows.map((row) => row.user_id);
}

const ENDED_AT_ONCE = 1_000;

/** Statements: ends what was not used for long, as signing out does, and forgets what no token can speak for any more. */
export function clearExpired(db: Db, now: number) {
  const unused = sql`
    select id from devices where last_seen_at < ${now - DEVICE_UNUSED_DAYS * DAY_MS} and ended_at is null
    limit ${ENDED_AT_ONCE}`;
  return [
    endDevices(db, sql`id in (${unused})`, now),
    deleteSome(db, devices, sql`ended_at < ${now - SESSION_LIFETIME_DAYS * DAY_MS} and closed_at is not null`),
  ];
}
