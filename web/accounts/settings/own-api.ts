import { queryOptions } from '@tanstack/react-query';
import type { Export, Me } from '#contract/accounts.ts';
import type { NoticeSettings } from '#contract/channels.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { Success } from '#contract/recovery.ts';
import { ApiError, api } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession, replaceToken, signOut } from '#web/api/session.ts';
import { withPhotos } from '#web/offline/outbox-changes.ts';
import { unsubscribe } from '#web/push/subscription.ts';

export const blocksQuery = queryOptions({
  queryKey: queryKeys.blocks,
  queryFn: ({ signal }) => api('GET /me/blocks', { signal }),
});

export function unblock(id: string): Promise<void> {
  return endedAlready(api('DELETE /me/blocks/:id', { params: { id } }));
}

/** Counts a 404 as success: another tab has already ended the block or session. */
async function endedAlready(ending: Promise<null>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

export function changeMe(body: BodyOf<'PATCH /me'>): Promise<Me> {
  return api('PATCH /me', { body });
}

/** Requests an e-mail with a link that proves the user's e-mail address, the current one or a new one. */
export function askForEmailLink(body: BodyOf<'POST /me/email'>): Promise<Success> {
  return api('POST /me/email', { body });
}

export function saveNoticeSettings(body: BodyOf<'PUT /me/notice-settings'>): Promise<NoticeSettings> {
  return api('PUT /me/notice-settings', { body });
}

export const devicesQuery = queryOptions({
  queryKey: queryKeys.devices,
  queryFn: ({ signal }) => api('GET /me/devices', { signal }),
});

export function signOutDevice(id: string): Promise<void> {
  return endedAlready(api('DELETE /me/devices/:id', { params: { id } }));
}

/** Ends the current token and stores the new one from the response, for all tabs. */
export function changePassword(body: BodyOf<'POST /me/password'>): Promise<void> {
  return replaceToken(async () => (await api('POST /me/password', { body })).access_token);
}

export function signOutEverywhere(): Promise<void> {
  return replaceToken(async () => (await api('POST /me/sign-out-everywhere')).access_token);
}

export function exportData(body: BodyOf<'POST /me/export'>): Promise<Export> {
  return api('POST /me/export', { body });
}

/** Deletes the account, and what this phone stores for it. */
export async function deleteAccount(body: BodyOf<'DELETE /me'>): Promise<void> {
  const session = getSession();
  await api('DELETE /me', { body });
  // `null` ends the pushes in the browser only: the server would refuse a request of the deleted account.
  await unsubscribe(null).catch(() => undefined);
  signOut();
  if (session) forgetPerson(session.userId);
}

/** Removes what this phone stores for a deleted account: drafts, seen posts, and unsent posts and photos. */
export function forgetPerson(userId: string): void {
  void withPhotos(({ forgetPhotos }) =>
    forgetPhotos((photo) => photo.userId === userId || photo.place.includes(userId)),
  );
  for (const key of Object.keys(localStorage)) if (key.includes(userId)) localStorage.removeItem(key);
}
