import { queryOptions } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { Export } from '#contract/leaving.ts';
import type { NoticeSettings } from '#contract/notice-settings.ts';
import type { Success } from '#contract/recovery.ts';
import { ApiError, api } from '#web/lib/api-client.ts';
import { forgetPerson } from '#web/lib/forget-person.ts';
import { unsubscribe } from '#web/lib/push-subscription.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { getSession, replaceToken, signOut } from '#web/lib/session.ts';

export const blocksQuery = queryOptions({
  queryKey: queryKeys.blocks,
  queryFn: ({ signal }) => api('GET /me/blocks', { signal }),
});

export function unblock(id: string): Promise<void> {
  return endedAlready(api('DELETE /me/blocks/:id', { params: { id } }));
}

/** What is gone already is as ended as one could wish. */
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

/** Sends a link to the e-mail that shall be the reader's, or that is to be proven. */
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

/** The token that it is asked with is dead once it is answered: this tab and the others go on with the one of the answer. */
export function changePassword(body: BodyOf<'POST /me/password'>): Promise<void> {
  return replaceToken(async () => (await api('POST /me/password', { body })).access_token);
}

export function signOutEverywhere(): Promise<void> {
  return replaceToken(async () => (await api('POST /me/sign-out-everywhere')).access_token);
}

export function exportData(body: BodyOf<'POST /me/export'>): Promise<Export> {
  return api('POST /me/export', { body });
}

/** Deletes the account, and from this phone what was kept for its person. */
export async function deleteAccount(body: BodyOf<'DELETE /me'>): Promise<void> {
  const session = getSession();
  await api('DELETE /me', { body });
  // The server has done its part, and would not know who asks.
  await unsubscribe(null).catch(() => undefined);
  signOut();
  if (session) forgetPerson(session.userId);
}
