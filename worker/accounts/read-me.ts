import type { Me } from '#contract/accounts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { presentMe } from './account-rules.ts';
import { findMe } from './store.ts';

/** @throws AppError unauthorized. */
export async function readMe({ db, config }: Pick<AppContext['var'], 'db' | 'config'>, viewer: Viewer): Promise<Me> {
  const me = await findMe(db, viewer);
  if (!me) throw new AppError('unauthorized');
  return presentMe(me, config);
}
