import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertWithin, countOne, forgetCount } from '#worker/limits/allowance.ts';
import { isPasswordRight } from './password.ts';
import { readCredentials } from './store.ts';

/**
 * For whatever a session alone must not change: who holds it shows that they know the password too.
 * @throws AppError wrong_password, which counts as a failed sign-in; too_many_requests; unauthorized.
 */
export async function assertCurrentPassword(c: AppContext, viewer: Viewer, password: string): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const { emailKey, passwordHash } = await readCredentials(db, viewer);
  const allowance = allowanceOf(config, 'sign_in_account', emailKey);
  const [counted] = await countOne(db, allowance, now);
  assertWithin(allowance, counted, now);
  if (!(await isPasswordRight(password, passwordHash))) throw new AppError('wrong_password');
  await forgetCount(db.repeatable, allowance);
}
