import { type SQL, sql } from 'drizzle-orm';
import { createMiddleware } from 'hono/factory';
import type { Device, Session } from '#contract/accounts.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { DEVICES_MAX } from '#contract/limits.ts';
import { type Db, type Handle, readAs, writeAs } from '#worker/db/client.ts';
import { idRow, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { devices } from '#worker/db/tables/people.ts';
import { type AppContext, type AppEnv, continueAfterAnswer } from '#worker/http/context.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

/** A device on which a user is signed in. `id` is the id of the session. */
export type SeenDevice = { id: string; userId: string; name: string };

/**
 * Statements: if the condition holds, insert the device's session, or renew the session if it exists. Then sign out the
 * person's oldest devices, so that at most DEVICES_MAX remain.
 */
export function keepDevice(db: Handle, { id, userId, name }: SeenDevice, now: number, condition = sql`true`) {
  const live = sql`from devices where user_id = ${userId} and ended_at is null`;
  return {
    insertDevice: db.run(sql`
      insert into devices (id, user_id, name, created_at, last_seen_at)
      select ${id}, ${userId}, ${name}, ${now}, ${now} where ${condition}
      on conflict (id) do update set last_seen_at = excluded.last_seen_at, name = excluded.name
      where user_id = excluded.user_id and ended_at is null`),
    endOldest: endDevices(
      db,
      sql`user_id = ${userId} and id not in (select id ${live} order by created_at desc, rowid desc limit ${DEVICES_MAX})`,
      now,
    ),
  };
}

/** Statement: signs out the signed-in devices for which the condition holds, and returns their ids. */
export function endDevices(db: Handle, which: SQL, now: number) {
  return queryRows(db, idRow)`
    update devices set ended_at = ${now}, name = '' where ended_at is null and ${which} returning id`;
}

/** Renews the viewer's session. Call this before `toSession` makes the viewer's new token. */
export async function renewDevice(db: Db, viewer: Viewer, name: string, now: number): Promise<void> {
  const { userId, sessionId } = viewer;
  await writeAs(db.repeatable, viewer, keepDevice(db.repeatable, { id: sessionId, userId, name }, now));
}

/** Lists the devices on which the viewer is signed in, most recently used first. */
export async function listDevices(db: Db, viewer: Viewer) {
  const { listed } = await readAs(db, viewer, {
    listed: queryRows(db, deviceRow)`
      select id, name, created_at, last_seen_at from devices
      where user_id = ${viewer.userId} and ended_at is null
      order by last_seen_at desc, created_at desc, id limit ${DEVICES_MAX}`,
  });
  return listed;
}

/** @returns false if the viewer has no such device. */
export async function endDevice(db: Db, viewer: Viewer, id: string, now: number): Promise<boolean> {
  const { ended } = await writeAs(db, viewer, {
    ended: endDevices(db, sql`user_id = ${viewer.userId} and id = ${id}`, now),
  });
  return ended.length > 0;
}

/** Records a device's use, at most once an hour. */
async function recordUse(db: Db, sessionId: string, now: number): Promise<void> {
  await db.run(sql`
    update devices set last_seen_at = ${now}
    where id = ${sessionId} and ended_at is null and last_seen_at <= ${now - HOUR_MS}`);
}

/** Returns the name of the device that makes the request. */
export function nameOfCaller(c: AppContext): string {
  return nameDevice(c.req.header('User-Agent') ?? '');
}

/** Makes the response to a sign-in: a token for the session. */
export async function toSession(c: AppContext, { userId, tokenVersion, sessionId }: Viewer): Promise<Session> {
  const token = await signSessionToken(c.var.config.keys.session, { userId, tokenVersion, sessionId });
  return { access_token: token, token_type: 'bearer', user_id: userId };
}

/** The map `notedAt` is cleared when it has this many entries, so that its size has a limit. */
const SESSIONS_MAX = 20_000;

/** When this isolate last recorded a session's use. */
const notedAt = new Map<string, number>();

/** Records about once an hour, after the response, that a device was used. */
export const noteUse = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { viewer, db } = c.var;
  const now = Date.now();
  if (!viewer || c.res.status === 401 || now - (notedAt.get(viewer.sessionId) ?? 0) < HOUR_MS) return;
  if (notedAt.size >= SESSIONS_MAX) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  continueAfterAnswer(c, recordUse(db, viewer.sessionId, now));
});

/** Browsers by user agent, the more specific first: most browsers also claim to be Chrome and Safari. */
const BROWSERS: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [sign: RegExp, name: string][] = [
  [/\bKAIOS\//, 'KaiOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns a readable name of a device, such as "Chrome, Android"; empty for an unknown user agent. */
export function nameDevice(userAgent: string): string {
  const find = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(userAgent))?.[1] ?? [];
  return [find(BROWSERS), find(SYSTEMS)].flat().join(', ');
}

const deviceRow = rowOf(devices, 'id', 'name', 'created_at', 'last_seen_at');

export function presentDevice({ id, name, ...times }: RowOf<typeof deviceRow>, { sessionId }: Viewer): Device {
  return {
    id,
    name,
    created_at: new Date(times.created_at).toISOString(),
    last_seen_at: new Date(times.last_seen_at).toISOString(),
    is_this: id === sessionId,
  };
}
