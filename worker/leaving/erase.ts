import { BARRED_MONTHS } from '#contract/limits.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { forgetTitles } from '#worker/claims/index.ts';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { noteErased } from '#worker/exports/index.ts';
import { bar, barOf } from '#worker/limits/bars.ts';
import { renewClaimNews, retractNotices } from '#worker/notices/index.ts';
import { deleteLeftovers } from '#worker/photos/index.ts';
import { eraseRows } from './erase-rows.ts';
import { claimErasures, type Erasure, findSuspended, putOff } from './store.ts';

const ERASURES_PER_SWEEP = 20;

/**
 * Erases a closed account, once it is due, in steps that can each be repeated: after an interruption it starts over. The
 * record that there is something to erase is deleted last.
 */
export async function erase(
  env: Env,
  db: Db,
  data: readonly PersonalData[],
  erasure: Erasure,
  now: number,
): Promise<void> {
  const { user_id: userId, erase_at: eraseAt } = erasure;
  await getUserChannel(env, userId).erase();
  if (eraseAt > now) return putOff(db, erasure);
  await retractNotices(env, db, userId);
  await forgetTitles(db, userId);
  await renewClaimNews(env, db, userId);
  await barIfSuspended(env, db, userId, now);
  await noteErased(db, userId, now);
  await eraseRows(db, data, userId);
  await deleteLeftovers(env, db, now);
}

/** For the sweep: erasures that were interrupted, and those whose waiting time has expired. */
export async function finishErasing(env: Env, db: Db, data: readonly PersonalData[], now: number): Promise<void> {
  for (const erasure of await claimErasures(db, now, ERASURES_PER_SWEEP)) {
    try {
      await erase(env, db, data, erasure, now);
    } catch (error) {
      // One that fails does not stop the others, and is tried again.
      log.warn('erasure_failed', { name: errorName(error) });
    }
  }
}

/** Keeps a suspended person from registering again with the same e-mail or number. */
async function barIfSuspended(env: Env, db: Db, userId: string, now: number): Promise<void> {
  const person = await findSuspended(db, userId);
  if (!person) return;
  const config = readConfig(env);
  const number = person.number === null ? [] : [barOf(config, 'number', person.number)];
  const endsAt = new Date(now);
  endsAt.setUTCMonth(endsAt.getUTCMonth() + BARRED_MONTHS);
  await bar(db, [barOf(config, 'email', person.email_key), ...number], endsAt.getTime());
}
