import { PASSKEYS_MAX } from '#contract/limits.ts';
import {
  type NewPasskey,
  type Passkey,
  type PasskeyOptions,
  type PasskeyTransport,
  passkeyOptionsSchema,
  type SteppedUp,
  type StepUp,
  type StepUpOptions,
  stepUpOptionsSchema,
} from '#contract/passkeys.ts';
import { assertCurrentPassword } from '#worker/accounts/sign-in.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { errorName, log } from '#worker/errors/log.ts';
import type { AppContext } from '#worker/http/context.ts';
import { assertSameBody, readIdempotencyKey } from '#worker/http/idempotency.ts';
import type { SessionViewer } from '#worker/identity/viewer.ts';
import {
  type AdminRow,
  assertSteppedUp,
  deletePasskey,
  insertPasskey,
  keepChallenge,
  type PasskeyRow,
  presentPasskey,
  readPasskeys,
  recordStepUp,
  takeChallenge,
} from './passkeys.ts';

/** Where a passkey is valid: its domain, and the origin of the page that requests it. */
type Place = { relyingPartyId: string; origin: string };
/** The challenge that the passkey must sign, with the domain and origin for which the signature is valid. */
type Asked = Place & { challenge: string };

/** Loads the library only for requests that need it, which are few. */
const library = () => import('@simplewebauthn/server');

/** Returns what the browser needs to create a passkey. @throws AppError forbidden, too_many_passkeys. */
export async function offerPasskey(c: AppContext, viewer: SessionViewer): Promise<PasskeyOptions> {
  const { db } = c.var;
  const now = Date.now();
  const { admin, passkeys: known } = await readPasskeys(db, viewer, now);
  if (known.length >= PASSKEYS_MAX) throw new AppError('too_many_passkeys');
  const options = await askForNew(admin, { userId: viewer.userId, known, ...placeOf(c) });
  await keepChallenge(db, viewer, { purpose: 'add', challenge: options.challenge, now });
  return options;
}

/**
 * Adds a passkey, once per idempotency key. The session then counts as having used a passkey. The first passkey
 * requires the password. Adding another one requires that the session has used a passkey: otherwise anyone with a
 * stolen token could add their own.
 * @throws AppError forbidden, idempotency_mismatch, idempotency_conflict, step_up_needed, validation_failed,
 * passkey_refused, or any error of `assertCurrentPassword`.
 */
export async function addPasskey(c: AppContext, viewer: SessionViewer, answer: NewPasskey): Promise<Passkey> {
  const { db, config } = c.var;
  const now = Date.now();
  const idempotencyKey = await readIdempotencyKey(c);
  const { admin, passkeys, repeated } = await readPasskeys(db, viewer, now, idempotencyKey);
  if (repeated) {
    assertSameBody(repeated, idempotencyKey);
    const made = passkeys.find(({ id }) => id === repeated.id);
    if (!made) throw new AppError('idempotency_conflict');
    return presentPasskey(made);
  }
  if (passkeys.length > 0) assertSteppedUp(admin, config.passkeys);
  else if (!answer.current_password) throw invalidField('current_password', 'password_required');
  else await assertCurrentPassword(c, viewer, answer.current_password);
  const challenge = await takeChallenge(db, viewer, 'add', now);
  if (challenge === null) throw new AppError('passkey_refused');
  const added = {
    ...(await verifyNew(answer, { challenge, ...placeOf(c) })),
    transports: answer.response.transports,
    idempotencyKey,
  };
  if (!(await insertPasskey(db, viewer, added, now))) throw new AppError('passkey_refused');
  return presentPasskey({ id: added.id, created_at: now, last_used_at: null });
}

/** Removes a passkey. @throws AppError forbidden, step_up_needed, passkey_not_found. */
export async function removePasskey(c: AppContext, viewer: SessionViewer, id: string): Promise<void> {
  const { db, config } = c.var;
  const { admin } = await readPasskeys(db, viewer, Date.now());
  assertSteppedUp(admin, config.passkeys);
  if (!(await deletePasskey(db, viewer, id))) throw new AppError('passkey_not_found');
}

/** Returns what the browser needs to use one of the viewer's passkeys. @throws AppError forbidden, no_passkey. */
export async function offerStepUp(c: AppContext, viewer: SessionViewer): Promise<StepUpOptions> {
  const { db } = c.var;
  const now = Date.now();
  const { passkeys } = await readPasskeys(db, viewer, now);
  if (passkeys.length === 0) throw new AppError('no_passkey');
  const options = await askForOneOf(passkeys, placeOf(c).relyingPartyId);
  await keepChallenge(db, viewer, { purpose: 'step_up', challenge: options.challenge, now });
  return options;
}

/** Records that the session has used a passkey. @throws AppError forbidden, passkey_refused. */
export async function stepUp(c: AppContext, viewer: SessionViewer, answer: StepUp): Promise<SteppedUp> {
  const { db } = c.var;
  const now = Date.now();
  const { passkeys } = await readPasskeys(db, viewer, now);
  const challenge = await takeChallenge(db, viewer, 'step_up', now);
  const passkey = passkeys.find(({ id }) => id === answer.id);
  if (challenge === null || !passkey) throw new AppError('passkey_refused');
  const counter = await verifyShown(answer, passkey, { challenge, ...placeOf(c) });
  const expiresAt = await recordStepUp(db, viewer, { id: passkey.id, before: passkey.counter, counter, now });
  if (expiresAt === null) throw new AppError('passkey_refused');
  return { expires_at: new Date(expiresAt).toISOString() };
}

function placeOf(c: AppContext): Place {
  const { origin, hostname } = new URL(c.req.url);
  return { relyingPartyId: c.var.config.passkeys.relyingPartyId ?? hostname, origin };
}

/** Returns the options with which the browser creates a passkey. */
async function askForNew(
  { email, username }: AdminRow,
  { userId, known, relyingPartyId }: { userId: string; known: PasskeyRow[]; relyingPartyId: string },
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Patikana',
    rpID: relyingPartyId,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: email,
    userDisplayName: username,
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  return passkeyOptionsSchema.parse(options);
}

/** Returns the options with which the browser uses one of the known passkeys. */
async function askForOneOf(known: PasskeyRow[], relyingPartyId: string): Promise<StepUpOptions> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyId,
    allowCredentials: known.map(toDescriptor),
    userVerification: 'required',
  });
  return stepUpOptionsSchema.parse(options);
}

/**
 * Verifies a new passkey.
 * @throws AppError passkey_refused if the challenge or origin is wrong, or if the device did not verify the user.
 */
function verifyNew(answer: NewPasskey, { challenge, origin, relyingPartyId }: Asked) {
  return verify(async () => {
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
    });
    if (!registrationInfo) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { id: registrationInfo.credential.id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });
}

/**
 * Verifies the use of a passkey.
 * @returns the passkey's use counter.
 * @throws AppError passkey_refused for the same reasons as `verifyNew`, or if the counter shows that the passkey was
 * cloned.
 */
function verifyShown(answer: StepUp, passkey: PasskeyRow, { challenge, origin, relyingPartyId }: Asked) {
  return verify(async () => {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** Runs one of the library's checks. Logs only the name of an error, because its message may quote the input. */
async function verify<Result>(check: () => Promise<Result | null>): Promise<Result> {
  try {
    const result = await check();
    if (result !== null) return result;
  } catch (error) {
    log.warn('passkey_refused', { name: errorName(error) });
  }
  throw new AppError('passkey_refused');
}

function toDescriptor({ id, transports }: PasskeyRow) {
  return { id, transports: JSON.parse(transports) as PasskeyTransport[] };
}
