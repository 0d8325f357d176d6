import { type SQL, sql } from 'drizzle-orm';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { whatsappRecipients } from '#worker/db/schema.ts';
import type { Config } from '#worker/env.ts';
import { type Allowance, allowanceOfDay, countIf, hasRoom } from '#worker/limits/allowance.ts';
import { dayOf } from '#worker/limits/day.ts';

/**
 * Meta limits how many different people we write to per day. Each purpose gets at most a share of them, so that some
 * remain for people who have lost their password.
 */
const PARTS = { reset: 1, proof: 0.3, notice: 0.4 } as const;
const PURPOSES: Record<WhatsappJob['kind'], keyof typeof PARTS | null> = {
  reset_code: 'reset',
  prove_number: 'proof',
  change_number: 'proof',
  community_decision: 'notice',
  match_notice: 'notice',
  // Answers to people who have just written to us do not count for Meta.
  stopped: null,
  started: null,
};

/** Condition: the number is one of the day's recipients. It counts once, however many messages it gets. */
export function isRecipient(kind: WhatsappJob['kind'], number: SQL, now: number): SQL {
  if (PURPOSES[kind] === null) return sql`true`;
  return sql`exists (select 1 from whatsapp_recipients where day = ${dayOf(now)} and number = ${number})`;
}

/**
 * Statements: count the recipient, within the limits.
 * @param recipient selects a number, or nothing if nothing will be sent.
 */
export function countRecipient(db: Db, config: Config, kind: WhatsappJob['kind'], recipient: SQL, now: number) {
  const purpose = PURPOSES[kind];
  // Without a purpose nobody is counted, but the number of statements stays the same.
  const counted = purpose === null ? sql`select null as number where false` : recipient;
  const all = allowanceOf(config, 'all', 1, now);
  const part = allowanceOf(config, purpose ?? 'reset', PARTS[purpose ?? 'reset'], now);
  return [
    db.run(sql`
      insert into whatsapp_recipients (day, number) select ${dayOf(now)}, r.number from (${counted}) r
      where ${hasRoom(all, now)} and ${hasRoom(part, now)}
      on conflict (day, number) do nothing`),
    countIf(db, all, sql`changes() > 0`, now),
    countIf(db, part, sql`changes() > 0`, now),
  ] as const;
}

/** Statement: deletes the recipients of past days. */
export function clearRecipients(db: Db, now: number) {
  return deleteSome(db, whatsappRecipients, sql`day < ${dayOf(now)}`);
}

function allowanceOf(config: Config, name: string, share: number, now: number): Allowance {
  const max = Math.floor(config.whatsapp.dailyRecipients * share);
  return allowanceOfDay(config, `whatsapp_recipients:${dayOf(now)}:${name}`, max, now);
}
