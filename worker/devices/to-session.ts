import type { Session } from '#contract/accounts.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { nameDevice } from './device-rules.ts';

/** The name of the device that makes the request. */
export function nameOfCaller(c: AppContext): string {
  return nameDevice(c.req.header('User-Agent') ?? '');
}

/** The response to signing in: a token for the session. */
export async function toSession(c: AppContext, { userId, tokenVersion, sessionId }: Viewer): Promise<Session> {
  const token = await signSessionToken(c.var.config.keys.session, { userId, tokenVersion, sessionId });
  return { access_token: token, token_type: 'bearer', user_id: userId };
}
