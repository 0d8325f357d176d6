import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import { PASSKEYS_MAX, STEP_UP_HOURS } from '#contract/limits.ts';
import type { Passkey, PasskeyPurpose, PasskeyTransport } from '#contract/passkeys.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { flag, idRow, queryFirst, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { passkeyChallenges, passkeys, stepUps } from '#worker/db/tables/people.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { hasReservedKey, type IdempotencyKey, releaseKey, reserveKey, selectMade } from '#worker/http/idempotency.ts';
import { isActingAdmin, type SessionViewer } from '#worker/identity/viewer.ts';

const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
const STEP_UP_MS = STEP_UP_HOURS * HOUR_MS;

/** Statement: reads the viewer's account, and whether the viewer's session has used a passkey. */
function selectAdmin(db: Db, viewer: SessionViewer, now: number) {
  return queryFirst(db, adminRow)`
    select u.email, u.username, ${isActingAdmin('u')} as is_platform_admin, exists (
      select 1 from step_ups s
      where s.session_id = ${viewer.sessionId} and s.user_id = u.id and s.expires_at > ${now}) as is_stepped_up
    from users u where u.id = ${viewer.userId}`;
}

/** Reads the viewer's account, and whether the viewer's session has used a passkey. */
export async function readStanding(db: Db, viewer: SessionViewer, now: number) {
  const { admin } = await readAs(db, viewer, { admin: selectAdmin(db, viewer, now) });
  return admin;
}

/**
 * Reads the viewer's account and passkeys, and the passkey that an earlier request with the same idempotency key has
 * added.
 * @throws AppError forbidden unless the viewer is a platform admin.
 */
export async function readPasskeys(db: Db, viewer: SessionViewer, now: number, key: IdempotencyKey | null = null) {
  const { admin, passkeys, repeated } = await readAs(db, viewer, {
    admin: selectAdmin(db, viewer, now),
    passkeys: queryRows(db, passkeyRow)`
      select id, public_key, counter, transports, created_at, last_used_at from passkeys
      where user_id = ${viewer.userId} order by created_at, id`,
    repeated: selectMade(db, viewer, key, now),
  });
  return { admin: assertAdmin(admin), passkeys, repeated };
}

/** Stores a challenge, which replaces the previous one for the same purpose. */
export async function keepChallenge(
  db: Db,
  viewer: SessionViewer,
  { purpose, challenge, now }: { purpose: PasskeyPurpose; challenge: string; now: number },
): Promise<void> {
  const replaced = { challenge, expiresAt: now + CHALLENGE_LIFETIME_MS };
  await writeAs(db, viewer, {
    insertPasskeyChallenges: db
      .insert(passkeyChallenges)
      .values({ userId: viewer.userId, purpose, ...replaced })
      .onConflictDoUpdate({ target: [passkeyChallenges.userId, passkeyChallenges.purpose], set: replaced }),
  });
}

/**
 * Deletes and returns the challenge, so that it can be used only once. Returns null if it is missing or has expired.
 */
export async function takeChallenge(db: Db, viewer: SessionViewer, purpose: PasskeyPurpose, now: number) {
  const { taken } = await writeAs(db, viewer, {
    taken: queryFirst(db, rowOf(passkeyChallenges, 'challenge'))`
      delete from passkey_challenges
      where user_id = ${viewer.userId} and purpose = ${purpose} and expires_at > ${now} returning challenge`,
  });
  return taken?.challenge ?? null;
}

type AddedPasskey = {
  id: string;
  publicKey: string;
  counter: number;
  transports: PasskeyTransport[];
  idempotencyKey: IdempotencyKey | null;
};

/**
 * Adds a passkey. The session then counts as having used a passkey.
 * @returns false if the passkey is already stored, or if the viewer already has `PASSKEYS_MAX` passkeys.
 */
export async function insertPasskey(db: Db, viewer: SessionViewer, passkey: AddedPasskey, now: number) {
  const { id, publicKey, counter, transports, idempotencyKey } = passkey;
  const isMade = sql`exists (
    select 1 from passkeys where id = ${id} and user_id = ${viewer.userId} and created_at = ${now})`;
  const { added } = await writeAs(db, viewer, {
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    added: queryRows(db, idRow)`
      insert into passkeys (id, user_id, public_key, counter, transports, created_at)
      select ${id}, ${viewer.userId}, ${publicKey}, ${counter}, ${JSON.stringify(transports)}, ${now}
      where (select count(*) from passkeys where user_id = ${viewer.userId}) < ${PASSKEYS_MAX}
        and ${hasReservedKey(viewer, idempotencyKey, id)}
      on conflict (id) do nothing returning id`,
    stepUp: stepUp(db, viewer, id, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
  });
  return added.length > 0;
}

/** Statement: records that the session has used the passkey, if the previous statement changed a row. */
function stepUp(db: Db, viewer: SessionViewer, passkeyId: string, now: number) {
  return db.run(sql`
    insert into step_ups (session_id, user_id, passkey_id, expires_at)
    select ${viewer.sessionId}, user_id, id, ${now + STEP_UP_MS} from passkeys
    where id = ${passkeyId} and user_id = ${viewer.userId} and changes() > 0
    on conflict (session_id) do update set
      user_id = excluded.user_id, passkey_id = excluded.passkey_id, expires_at = excluded.expires_at`);
}

/**
 * Records that the session has used the passkey. Records nothing if the passkey was used or removed after it was read.
 * @returns until when the session may make admin changes, or null if nothing was recorded.
 */
export async function recordStepUp(
  db: Db,
  viewer: SessionViewer,
  { id, before, counter, now }: { id: string; before: number; counter: number; now: number },
): Promise<number | null> {
  const { used } = await writeAs(db, viewer, {
    used: queryRows(db, idRow)`
      update passkeys set counter = ${counter}, last_used_at = ${now}
      where id = ${id} and user_id = ${viewer.userId} and counter = ${before} returning id`,
    stepUp: stepUp(db, viewer, id, now),
  });
  return used.length > 0 ? now + STEP_UP_MS : null;
}

/** Deletes a passkey, and the records of its use. @returns whether the passkey was the viewer's. */
export async function deletePasskey(db: Db, viewer: SessionViewer, id: string): Promise<boolean> {
  const { removed } = await writeAs(db, viewer, {
    deleteStepUps: db.delete(stepUps).where(and(eq(stepUps.passkeyId, id), eq(stepUps.userId, viewer.userId))),
    removed: queryRows(db, idRow)`delete from passkeys where id = ${id} and user_id = ${viewer.userId} returning id`,
  });
  return removed.length > 0;
}

/** The row of an admin's account, with whether the admin's session has used a passkey. */
const adminRow = () =>
  z.object({ email: z.string(), username: z.string(), is_platform_admin: flag(), is_stepped_up: flag() });
export type AdminRow = RowOf<typeof adminRow>;

const passkeyRow = rowOf(passkeys, 'id', 'public_key', 'counter', 'transports', 'created_at', 'last_used_at');
export type PasskeyRow = RowOf<typeof passkeyRow>;

export function presentPasskey(row: Pick<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>): Passkey {
  return {
    id: row.id,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}

/** Requires a platform admin, because only they have passkeys. @throws AppError forbidden. */
function assertAdmin(admin: AdminRow | undefined): AdminRow {
  if (admin?.is_platform_admin !== 1) throw new AppError('forbidden');
  return admin;
}

/**
 * Requires that the session has used a passkey, if passkeys are required.
 * @throws AppError step_up_needed.
 */
export function assertSteppedUp({ is_stepped_up }: AdminRow, { areNeeded }: { areNeeded: boolean }): void {
  if (areNeeded && is_stepped_up !== 1) throw new AppError('step_up_needed');
}
