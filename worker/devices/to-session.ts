import type { Session } from '#contract/accounts.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { nameDevice } from './device-rules.ts';

/** As the device that asks is called. */
export function nameOfCaller(c: AppContext): string {
  return nameDevice(c.req.header('User-Agent') ?? '');
}

/** What signing in answers: a token of the session, which may be a new one. */
export async function toSession(c: AppContext, { userId, tokenVersion, sessionId }: Viewer): Promise<Session> {
  const token = await signSessionToken(c.var.config.keys.session, { userId, tokenVersion, sessionId });
  return { access_token: token, token_type: 'bearer', user_id: userId };
}
