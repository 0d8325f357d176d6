import { eq, type SQL, sql } from 'drizzle-orm';
import { createMiddleware } from 'hono/factory';
import { SWITCHES, type Switch, type Switches } from '#contract/admin.ts';
import { batch, type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/statements.ts';
import { switchedOff } from '#worker/db/tables/operating.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';

/** How long an isolate caches the switches. A change therefore takes effect after a few seconds at most. */
const KEPT_MS = 5_000;

/** Caches the result, not a promise: a promise would never settle if the request that created it is cancelled. */
let kept: { names: Switch[]; until: number } | null = null;

/** Answers 503 if the feature is switched off. Only for routes that write: reading and deleting always work. */
export function requireSwitchedOn(name: Exclude<Switch, 'whatsapp_notices'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if ((await readKept(c.var.db, Date.now())).includes(name)) throw new AppError('switched_off');
    await next();
  });
}

/** Clears the cache after a change, so that the change takes effect immediately in this isolate. */
export function forgetSwitches(): void {
  kept = null;
}

async function readKept(db: Db, now: number): Promise<Switch[]> {
  if (kept === null || kept.until <= now) kept = { names: await listSwitchedOff(db), until: now + KEPT_MS };
  return kept.names;
}

/** Reads all switches. @throws AppError forbidden unless the viewer is a platform admin. */
export async function readSwitches(db: Db, viewer: Viewer): Promise<Switches> {
  const { switchedOff } = await readAsPlatformAdmin(db, viewer, { switchedOff: selectSwitchedOff(db) });
  return toSwitches(switchedOff);
}

/** Sets all switches, and logs those that change. */
export async function writeSwitches(db: Db, viewer: Viewer, switches: Switches): Promise<void> {
  const now = Date.now();
  const turned = SWITCHES.map((name) => turn(db, { viewer, name, isOn: switches[name] }, now));
  await publishAsPlatformAdmin(db, viewer, { turned });
}

/** Statements: set a switch. The log entry comes first, while the switch still has its old state. */
function turn(db: Db, { viewer, name, isOn }: { viewer: Viewer; name: Switch; isOn: boolean }, now: number) {
  const action = isOn ? 'switch_on' : 'switch_off';
  const stoodOtherwise = sql`${isSwitchedOn(name)} = ${Number(!isOn)}`;
  return {
    logAction: logAction(
      db,
      { actor: viewer, action, targetType: 'switch', targetId: name, reason: null },
      now,
      stoodOtherwise,
    ),
    updateSwitch: isOn ? db.delete(switchedOff).where(eq(switchedOff.name, name)) : switchOff(db, name, sql`true`, now),
  };
}

/** Statement: switches a feature off, if the condition holds. */
export function switchOff(db: Db, name: Switch, condition: SQL, now: number) {
  return db.run(sql`
    insert into switched_off (name, since) select ${name}, ${now} where ${condition} on conflict do nothing`);
}

/** Statement: the names of the switches that are off. */
function selectSwitchedOff(db: Db) {
  return db.select({ name: switchedOff.name }).from(switchedOff);
}

export async function listSwitchedOff(db: Db): Promise<Switch[]> {
  const { rows } = await batch(db, { rows: selectSwitchedOff(db) });
  return rows.map(({ name }) => name);
}

function toSwitches(switchedOff: { name: Switch }[]): Switches {
  const isOn = (name: Switch) => !switchedOff.some((row) => row.name === name);
  return {
    registration: isOn('registration'),
    photos: isOn('photos'),
    claims: isOn('claims'),
    whatsapp_notices: isOn('whatsapp_notices'),
  };
}

/** Condition: the switch is on. */
export function isSwitchedOn(name: Switch): SQL {
  return sql`not exists (select 1 from switched_off where name = ${name})`;
}
