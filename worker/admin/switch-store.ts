import { sql } from 'drizzle-orm';
import { SWITCHES, type Switch, type Switches } from '#contract/operating.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/index.ts';
import { isSwitchedOn, selectSwitchedOff, toSwitches } from '#worker/switches/index.ts';

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function readSwitches(db: Db, viewer: Viewer): Promise<Switches> {
  const [switchedOff] = await readAsPlatformAdmin(db, viewer, [selectSwitchedOff(db)]);
  return toSwitches(switchedOff);
}

/** Sets all switches, and logs those that change. */
export async function writeSwitches(db: Db, viewer: Viewer, switches: Switches): Promise<void> {
  const now = Date.now();
  const [first, ...rest] = SWITCHES.flatMap((name) => turn(db, { viewer, name, isOn: switches[name] }, now));
  if (first) await publishAsPlatformAdmin(db, viewer, [first, ...rest]);
}

/** Statements. The log comes first, while the switch still has its old state. */
function turn(db: Db, { viewer, name, isOn }: { viewer: Viewer; name: Switch; isOn: boolean }, now: number) {
  const action = isOn ? 'switch_on' : 'switch_off';
  const stoodOtherwise = sql`${isSwitchedOn(name)} = ${Number(!isOn)}`;
  return [
    logAction(db, { actor: viewer, action, targetType: 'switch', targetId: name, reason: null }, now, stoodOtherwise),
    isOn
      ? db.run(sql`delete from switched_off where name = ${name}`)
      : db.run(sql`insert into switched_off (name, since) values (${name}, ${now}) on conflict do nothing`),
  ];
}
