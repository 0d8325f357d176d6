import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { DEVICE_UNUSED_DAYS, DEVICES_MAX, SESSION_LIFETIME_DAYS } from '#contract/limits.ts';
import { type Db, type Handle, readAs, writeAs } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { devices } from '#worker/db/schema.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { endSubscriptionsOfSessions } from '#worker/push/index.ts';
import { deviceRow } from './device-rules.ts';

/** A session and its device. */
export type SeenDevice = { id: string; userId: string; name: string };

/** Statements: sign a device in, or renew it, if the condition holds. Beyond the maximum the oldest are signed out. */
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

/** Statement: signs out the devices for which the condition holds. Returns the ids of those that were signed in. */
export function endDevices(db: Handle, which: SQL, now: number) {
  return queryRows(db, idRow)`
    update devices set ended_at = ${now}, name = '' where ended_at is null and ${which} returning id`;
}

/** Called before the viewer's token is renewed: the session continues on the same device. */
export async function renewDevice(db: Db, viewer: Viewer, name: string, now: number): Promise<void> {
  const { userId, sessionId } = viewer;
  await writeAs(db.repeatable, viewer, keepDevice(db.repeatable, { id: sessionId, userId, name }, now));
}

/** Where the viewer is signed in, most recently used first. */
export async function listDevices(db: Db, viewer: Viewer) {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, deviceRow)`
      select id, name, created_at, last_seen_at from devices
      where user_id = ${viewer.userId} and ended_at is null
      order by last_seen_at desc, created_at desc, id limit ${DEVICES_MAX}`,
  ]);
  return rows;
}

/** @returns false when there is no such device of the viewer's. */
export async function endDevice(db: Db, viewer: Viewer, id: string, now: number): Promise<boolean> {
  const [ended] = await writeAs(db, viewer, [endDevices(db, sql`user_id = ${viewer.userId} and id = ${id}`, now)]);
  return ended.length > 0;
}

/** Records a device's use, at most once an hour. */
export async function recordUse(db: Db, sessionId: string, now: number): Promise<void> {
  await db.run(sql`
    update devices set last_seen_at = ${now}
    where id = ${sessionId} and ended_at is null and last_seen_at <= ${now - HOUR_MS}`);
}

/** The person's devices that are signed out and may still have open sockets. */
export async function listToClose(db: Db, userId: string): Promise<string[]> {
  const rows = await queryRows(db, idRow)`
    select id from devices where user_id = ${userId} and ended_at is not null and closed_at is null`;
  return rows.map(({ id }) => id);
}

/** The sockets of these devices are closed. Their push subscriptions end, too. */
export async function markClosed(db: Db, ids: string[], now: number): Promise<void> {
  const ended = sql`select value from json_each(${JSON.stringify(ids)})`;
  await db.repeatable.batch([
    endSubscriptionsOfSessions(db, ended),
    db.run(sql`update devices set closed_at = ${now} where id in (${ended})`),
  ]);
}

const userRow = () => z.object({ user_id: z.string() });

/** People with devices signed out before then whose sockets may still be open. */
export async function listUsersToClose(db: Db, before: number, limit: number): Promise<string[]> {
  const rows = await queryRows(db, userRow)`
    select distinct user_id from devices where ended_at < ${before} and closed_at is null limit ${limit}`;
  return rows.map((row) => row.user_id);
}

const ENDED_AT_ONCE = 1_000;

/** Statements: sign out devices that have not been used for long, and delete those whose tokens have all expired. */
export function clearExpired(db: Db, now: number) {
  const unused = sql`
    select id from devices where last_seen_at < ${now - DEVICE_UNUSED_DAYS * DAY_MS} and ended_at is null
    limit ${ENDED_AT_ONCE}`;
  return [
    endDevices(db, sql`id in (${unused})`, now),
    deleteSome(db, devices, sql`ended_at < ${now - SESSION_LIFETIME_DAYS * DAY_MS} and closed_at is not null`),
  ];
}
