import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { SWITCHES, type Switch, type Switches } from '#contract/operating.ts';
import type { Db } from '#worker/db/client.ts';
import { queryRows, type RowOf } from '#worker/db/rows.ts';

export const switchedOffRow = () => z.object({ name: z.enum(SWITCHES) });

/** Statement: the names of the switches that are off. */
export function selectSwitchedOff(db: Db) {
  return queryRows(db, switchedOffRow)`select name from switched_off`;
}

export async function listSwitchedOff(db: Db): Promise<Switch[]> {
  const [rows] = await db.batch([selectSwitchedOff(db)]);
  return rows.map(({ name }) => name);
}

export function toSwitches(switchedOff: RowOf<typeof switchedOffRow>[]): Switches {
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
