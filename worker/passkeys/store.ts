import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import { PASSKEYS_MAX, STEP_UP_HOURS } from '#contract/limits.ts';
import type { PasskeyPurpose, PasskeyTransport } from '#contract/passkeys.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { claimKey, hasClaimed, type IdempotencyKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { passkeyChallenges, stepUps } from '#worker/db/schema.ts';
import { isActingAdmin } from '#worker/identity/platform-admin.ts';
import type { SessionViewer } from '#worker/identity/viewer.ts';
import { adminRow, assertAdmin, passkeyRow } from './passkey-rules.ts';

const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
const STEP_UP_MS = STEP_UP_HOURS * HOUR_MS;

const challengeRow = () => z.object({ challenge: z.string() });

/** Statement: the viewer's account, and whether their session has used a passkey. */
function selectAdmin(db: Db, viewer: SessionViewer, now: number) {
  return queryRows(db, adminRow)`
    select u.email, u.username, ${isActingAdmin('u')} as is_platform_admin, exists (
      select 1 from step_ups s
      where s.session_id = ${viewer.sessionId} and s.user_id = u.id and s.expires_at > ${now}) as is_stepped_up
    from users u where u.id = ${viewer.userId}`;
}

/** The viewer's account, and whether their session has used a passkey. */
export async function readStanding(db: Db, viewer: SessionViewer, now: number) {
  const [[admin]] = await readAs(db, viewer, [selectAdmin(db, viewer, now)]);
  return admin;
}

/**
 * The viewer's account and passkeys, and the passkey that the same key has added before.
 * @throws AppError forbidden unless the viewer is a platform admin.
 */
export async function readPasskeys(db: Db, viewer: SessionViewer, now: number, key: IdempotencyKey | null = null) {
  const [[admin], passkeys, [repeated]] = await readAs(db, viewer, [
    selectAdmin(db, viewer, now),
    queryRows(db, passkeyRow)`
      select id, public_key, counter, transports, created_at, last_used_at from passkeys
      where user_id = ${viewer.userId} order by created_at, id`,
    selectMade(db, viewer, key, now),
  ]);
  return { admin: assertAdmin(admin), passkeys, repeated };
}

/** Stores a challenge, which replaces the previous one for the same purpose. */
export async function keepChallenge(
  db: Db,
  viewer: SessionViewer,
  { purpose, challenge, now }: { purpose: PasskeyPurpose; challenge: string; now: number },
): Promise<void> {
  await writeAs(db, viewer, [
    db.run(sql`
      insert into passkey_challenges (user_id, purpose, challenge, expires_at)
      values (${viewer.userId}, ${purpose}, ${challenge}, ${now + CHALLENGE_LIFETIME_MS})
      on conflict (user_id, purpose) do update set challenge = excluded.challenge, expires_at = excluded.expires_at`),
  ]);
}

/** Deletes and returns the challenge, so that it can be used only once; null when there is none, or it has expired. */
export async function takeChallenge(db: Db, viewer: SessionViewer, purpose: PasskeyPurpose, now: number) {
  const [[taken]] = await writeAs(db, viewer, [
    queryRows(db, challengeRow)`
      delete from passkey_challenges
      where user_id = ${viewer.userId} and purpose = ${purpose} and expires_at > ${now} returning challenge`,
  ]);
  return taken?.challenge ?? null;
}

type AddedPasskey = {
  id: string;
  publicKey: string;
  counter: number;
  transports: PasskeyTransport[];
  idempotencyKey: IdempotencyKey | null;
};

/** Adds a passkey, which also counts as using it. @returns false if it is not new, or there are too many. */
export async function insertPasskey(db: Db, viewer: SessionViewer, passkey: AddedPasskey, now: number) {
  const { id, publicKey, counter, transports, idempotencyKey } = passkey;
  const isMade = sql`exists (
    select 1 from passkeys where id = ${id} and user_id = ${viewer.userId} and created_at = ${now})`;
  const [, added] = await writeAs(db, viewer, [
    claimKey(db, viewer, idempotencyKey, id, now),
    queryRows(db, idRow)`
      insert into passkeys (id, user_id, public_key, counter, transports, created_at)
      select ${id}, ${viewer.userId}, ${publicKey}, ${counter}, ${JSON.stringify(transports)}, ${now}
      where (select count(*) from passkeys where user_id = ${viewer.userId}) < ${PASSKEYS_MAX}
        and ${hasClaimed(viewer, idempotencyKey, id)}
      on conflict (id) do nothing returning id`,
    stepUp(db, viewer, id, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
  ]);
  return added.length > 0;
}

/** Statement: records that the session has used the viewer's passkey, if the previous statement wrote its row. */
function stepUp(db: Db, viewer: SessionViewer, passkeyId: string, now: number) {
  return db.run(sql`
    insert into step_ups (session_id, user_id, passkey_id, expires_at)
    select ${viewer.sessionId}, user_id, id, ${now + STEP_UP_MS} from passkeys
    where id = ${passkeyId} and user_id = ${viewer.userId} and changes() > 0
    on conflict (session_id) do update set
      user_id = excluded.user_id, passkey_id = excluded.passkey_id, expires_at = excluded.expires_at`);
}

/** Records that the passkey was used, unless it was used or removed meanwhile. @returns until when it counts, or null. */
export async function recordStepUp(
  db: Db,
  viewer: SessionViewer,
  { id, before, counter, now }: { id: string; before: number; counter: number; now: number },
): Promise<number | null> {
  const [used] = await writeAs(db, viewer, [
    queryRows(db, idRow)`
      update passkeys set counter = ${counter}, last_used_at = ${now}
      where id = ${id} and user_id = ${viewer.userId} and counter = ${before} returning id`,
    stepUp(db, viewer, id, now),
  ]);
  return used.length > 0 ? now + STEP_UP_MS : null;
}

/** Deletes a passkey, and the step-ups made with it. @returns whether it was the viewer's. */
export async function deletePasskey(db: Db, viewer: SessionViewer, id: string): Promise<boolean> {
  const [, removed] = await writeAs(db, viewer, [
    db.run(sql`delete from step_ups where passkey_id = ${id} and user_id = ${viewer.userId}`),
    queryRows(db, idRow)`delete from passkeys where id = ${id} and user_id = ${viewer.userId} returning id`,
  ]);
  return removed.length > 0;
}

/** Statements: delete expired challenges and step-ups. */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, passkeyChallenges, sql`expires_at <= ${now}`),
    deleteSome(db, stepUps, sql`expires_at <= ${now}`),
  ];
}
