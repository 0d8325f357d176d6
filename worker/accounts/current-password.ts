import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { findDevice, readDevices } from '#worker/http/device-cookies.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertTurn, takeTurn } from '#worker/limits/turns.ts';
import { deviceTurns, sessionTurns } from './guessers.ts';
import { isPasswordRight } from './password.ts';
import { readPasswordHash, recordSignIn } from './store.ts';

/**
 * For changes that need more than a session: the viewer has to enter their password again.
 * @throws AppError wrong_password, which counts as a failed sign-in of the device; too_many_requests; unauthorized.
 */
export async function assertCurrentPassword(c: AppContext, viewer: Viewer, password: string): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const device = findDevice(readDevices(c), viewer);
  const turns = device ? deviceTurns(config, device) : sessionTurns(config, viewer);
  const { passwordHash, wait } = await readPasswordHash(db, viewer, turns, now);
  assertTurn(wait, now);
  if (!(await isPasswordRight(password, passwordHash))) {
    await takeTurn(db, turns, now);
    throw new AppError('wrong_password');
  }
  await recordSignIn(db, viewer.userId, { turns, isKnown: true, renewal: null, device: null }, now);
}
