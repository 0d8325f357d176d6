import { DAY_MS } from '#contract/durations.ts';
import { ApiError, api } from './api-client.ts';
import { replaceToken, TOKEN_SINCE_KEY } from './session.ts';

/** Whoever keeps coming back stays signed in: the token is replaced once a day at most, by one tab for all. */
export async function renewOldToken(): Promise<void> {
  if (!isOld()) return;
  try {
    await replaceToken(async () => {
      // Another tab may have asked while this one waited for its turn.
      return isOld() ? askForToken() : null;
    });
  } catch {
    // The token at hand is good for weeks yet.
  }
}

async function askForToken(): Promise<string> {
  const before = localStorage.getItem(TOKEN_SINCE_KEY) ?? '0';
  localStorage.setItem(TOKEN_SINCE_KEY, String(Date.now()));
  try {
    return (await api('POST /me/token')).access_token;
  } catch (error) {
    // Without an answer nobody was asked.
    if (error instanceof ApiError && error.status === 0) localStorage.setItem(TOKEN_SINCE_KEY, before);
    throw error;
  }
}

function isOld(): boolean {
  return Date.now() - Number(localStorage.getItem(TOKEN_SINCE_KEY) ?? 0) >= DAY_MS;
}
