import { Hono } from 'hono';
import {
  meChangeSchema,
  passwordChangeSchema,
  type RegisteredUser,
  type Registration,
  registrationSchema,
  type Session,
  type SignIn,
  signInSchema,
} from '#contract/accounts.ts';
import { closeSockets, nameOfCaller, toSession } from '#worker/devices/index.ts';
import { startFirstLink } from '#worker/email/index.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { findDevice, keepDeviceCookie, readDevices } from '#worker/http/device-cookies.ts';
import { requireJson, requireMediaType, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertWithin } from '#worker/limits/allowance.ts';
import { assertNotBarred, barOf, selectBars } from '#worker/limits/bars.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { assertTurn, takeTurn, takeTurnIfLeft } from '#worker/limits/turns.ts';
import { type Evidence, judgeEvidence } from '#worker/numbers/index.ts';
import { requireSwitchedOn } from '#worker/switches/index.ts';
import { presentMe } from './account-rules.ts';
import { isCommonPassword } from './common-passwords.ts';
import { assertCurrentPassword } from './current-password.ts';
import { deviceTurns, strangerTurns } from './guessers.ts';
import { DUMMY_HASH, hashPassword, isHashOutdated, isPasswordRight } from './password.ts';
import { readMe } from './read-me.ts';
import { endOtherSessions, insertUser, readSignIn, recordSignIn, updateMe } from './store.ts';

export const accountRoutes = new Hono<AppEnv>()
  .post('/users', requireJson, validate('json', registrationSchema), requireSwitchedOn('registration'), async (c) => {
    const registration = c.req.valid('json');
    if (isCommonPassword(registration.password)) throw invalidField('password', 'password_common');
    await countRegistration(c, registration);
    const now = Date.now();
    const evidence = await judgeOwnEvidence(c, registration, now);
    const hash = await hashPassword(registration.password);
    const id = newId();
    const { statements: also, send } = startFirstLink(c, { id, email: registration.email }, now);
    const newUser = { ...registration, id, evidence, language: c.var.language, also };
    const user = await insertUser(c.var.db, newUser, hash, now);
    continueAfterAnswer(c, send());
    return c.json(user satisfies RegisteredUser, 201);
  })
  .post(
    '/login',
    requireMediaType('application/x-www-form-urlencoded', 'multipart/form-data'),
    validate('form', signInSchema),
    async (c) => c.json(await openSession(c, c.req.valid('form'))),
  );

export const meRoutes = new Hono<AppEnv>()
  .get('/me', requireViewer, async (c) => c.json(await readMe(c.var, c.var.viewer)))
  .patch('/me', requireViewer, requireJson, validate('json', meChangeSchema), async (c) => {
    const me = await updateMe(c.var.db, c.var.viewer, c.req.valid('json'));
    if (!me) throw new AppError('unauthorized');
    return c.json(presentMe(me, c.var.config));
  })
  .post('/me/password', requireViewer, requireJson, validate('json', passwordChangeSchema), async (c) => {
    const { current_password, new_password } = c.req.valid('json');
    if (isCommonPassword(new_password)) throw invalidField('new_password', 'password_common');
    await assertCurrentPassword(c, c.var.viewer, current_password);
    return c.json(await stayAlone(c, c.var.viewer, await hashPassword(new_password)));
  })
  .post('/me/sign-out-everywhere', requireViewer, async (c) => c.json(await stayAlone(c, c.var.viewer, null)));

/** Signs out every other device. @param passwordHash of a new password; null keeps the current one. */
async function stayAlone(c: AppContext, viewer: Viewer, passwordHash: string | null): Promise<Session> {
  const { db } = c.var;
  const change = { passwordHash, deviceName: nameOfCaller(c), now: Date.now() };
  const alone = { ...viewer, tokenVersion: await endOtherSessions(db, viewer, change) };
  // The new version makes every device a stranger. This one is known again, if it was or if the password was given.
  const device = findDevice(readDevices(c), viewer);
  if (device || passwordHash !== null) keepDeviceCookie(c, alone, device?.id);
  continueAfterAnswer(c, closeSockets(c.env, db, viewer.userId));
  return toSession(c, alone);
}

/** @throws AppError invalid_code for proof of another number, and what `judgeEvidence` throws. */
async function judgeOwnEvidence(c: AppContext, registration: Registration, now: number): Promise<Evidence | null> {
  const { whatsapp_number: number } = registration;
  const asked = { kind: 'prove_number', subject: number, address: clientAddress(c) } as const;
  const evidence = await judgeEvidence(c, registration, asked, now);
  if (evidence && evidence.number !== number) throw new AppError('invalid_code');
  return evidence;
}

/** @throws AppError too_many_requests, or suspended for a barred e-mail or number. */
async function countRegistration(c: AppContext, { email, whatsapp_number: number }: Registration): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const turns = allowancesOf(config, 'registration_address', clientAddress(c));
  const bars = [barOf(config, 'email', emailKey(email)), barOf(config, 'number', number)];
  const [[wait], , barred] = await db.batch([...takeTurnIfLeft(db, turns, now), selectBars(db, bars, now)]);
  assertTurn(wait, now);
  assertNotBarred(barred);
}

async function openSession(c: AppContext, { username: email, password }: SignIn): Promise<Session> {
  const { config, db } = c.var;
  const now = Date.now();
  const devices = readDevices(c);
  const address = clientAddress(c);
  const strangers = strangerTurns(config, email, address);
  const flood = {
    byAddress: allowancesOf(config, 'sign_in_address', address),
    byDevice: devices.map((known) => [known, allowanceOf(config, 'sign_in_address', known.id)] as const),
  };
  const { floodWait, counted, wait, user } = await readSignIn(db, email, { flood, strangers }, now);
  const device = user && findDevice(devices, user);
  if (device) assertWithin(flood.byAddress[0], counted, now);
  else for (const until of [floodWait, wait]) assertTurn(until, now);
  const turns = device ? deviceTurns(config, device) : strangers;
  // An unknown e-mail takes as long as a wrong password, and gets the same answer.
  const isRight = await isPasswordRight(password, user?.passwordHash ?? DUMMY_HASH);
  if (!user || !isRight) {
    log.warn('sign_in_failed', { user_id: user?.userId ?? null, is_known_device: device !== undefined });
    await takeTurn(db, turns, now);
    throw new AppError('invalid_credentials');
  }
  const { userId, tokenVersion, passwordHash } = user;
  const renewal = isHashOutdated(passwordHash) ? { of: passwordHash, hash: await hashPassword(password) } : null;
  const sessionId = newId();
  const signedIn = { id: sessionId, userId, name: nameOfCaller(c) };
  await recordSignIn(db, userId, { turns, isKnown: device !== undefined, renewal, device: signedIn }, now);
  log.info('signed_in', { user_id: userId, session_id: sessionId, is_known_device: device !== undefined });
  keepDeviceCookie(c, user, device?.id);
  return toSession(c, { userId, tokenVersion, sessionId });
}
