import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { barredKeys } from '#worker/db/tables/operating.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/digests.ts';

// A bar stops a person who deleted their suspended account from registering again the next day. A bar stores keyed
// digests of the person's phone number and e-mail address, from which neither can be read.

/** @param value the phone number in E.164, or the e-mail address as `emailKey` makes it. */
export function barOf(config: Config, kind: 'email' | 'number', value: string): string {
  return fingerprint(config.keys.limit, `barred-${kind}`, value);
}

const barRow = rowOf(barredKeys, 'ends_at');

/** Statement: returns the current bars on any of these keys, for `assertNotBarred`. */
export function selectBars(db: Db, bars: string[], now: number) {
  return queryRows(db, barRow)`
    select ends_at from barred_keys
    where key in (select value from json_each(${JSON.stringify(bars)})) and ends_at > ${now}`;
}

/** @throws AppError suspended. */
export function assertNotBarred(rows: RowOf<typeof barRow>[]): void {
  if (rows.length > 0) throw new AppError('suspended');
}

/** Bars phone numbers and e-mail addresses: until `endsAt` nobody can register with them or prove them. */
export async function bar(db: Db, bars: string[], endsAt: number): Promise<void> {
  await db.repeatable.run(sql`
    insert into barred_keys (key, ends_at) select value, ${endsAt} from json_each(${JSON.stringify(bars)}) where true
    on conflict (key) do update set ends_at = max(ends_at, excluded.ends_at)`);
}

export function clearEndedBars(db: Db, now: number) {
  return deleteSome(db, barredKeys, sql`ends_at <= ${now}`);
}

/** @throws AppError suspended for a barred phone number. */
export async function refuseBarredNumber(db: Db, config: Config, number: string, now: number): Promise<void> {
  assertNotBarred(await selectBars(db, [barOf(config, 'number', number)], now));
}
