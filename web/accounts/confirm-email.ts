import { ApiError, api } from '#web/lib/api-client.ts';

/** In the tab's own storage, and out of its address, which others may see and the history keeps. */
const KEY = 'emailLink';

type KeptLink = { token: string; isConfirmed: boolean };

/** What a link has come to: the e-mail is proven by it, or it is good for nothing any more. */
type LinkOutcome = 'confirmed' | 'over';

/** The last link that was opened in this tab. */
export function readLink(): KeptLink | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptLink | null;
  } catch {
    return null;
  }
}

export function keepLink(link: KeptLink): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(link));
  } catch {
    // Without storage a reload asks for the link again.
  }
}

/** Confirms once: a link that did its part in this tab is not sent again, however often the page is loaded. */
export async function confirmEmail(token: string): Promise<LinkOutcome> {
  const kept = readLink();
  if (kept?.token === token && kept.isConfirmed) return 'confirmed';
  try {
    await api('POST /auth/confirm-email', { body: { token } });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'invalid_code' || error.status === 422)) return 'over';
    throw error;
  }
  keepLink({ token, isConfirmed: true });
  return 'confirmed';
}
