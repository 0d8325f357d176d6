import { queryOptions } from '@tanstack/react-query';
import type { Me, RegisteredUser, Session } from '#contract/accounts.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { Export } from '#contract/leaving.ts';
import type { NoticeSettings } from '#contract/notice-settings.ts';
import type { NumberEvidence } from '#contract/numbers.ts';
import type { Success } from '#contract/recovery.ts';
import { ApiError, api } from '#web/lib/api-client.ts';
import { forgetPerson } from '#web/lib/forget-person.ts';
import { unsubscribe } from '#web/lib/push-subscription.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { getSession, type Session as ReaderSession, replaceToken, signOut } from '#web/lib/session.ts';
import type { Evidence } from './evidence.ts';

/** @returns null for an answer that holds no session. */
export async function logIn({ email, password }: { email: string; password: string }): Promise<ReaderSession | null> {
  const answer: Partial<Session> | null = await api('POST /login', { form: { username: email, password } });
  return answer?.access_token && answer.user_id ? { token: answer.access_token, userId: answer.user_id } : null;
}

/** @param evidence of the number; what was brought for another one is left out. */
export function register(
  registration: Omit<BodyOf<'POST /users'>, keyof NumberEvidence>,
  evidence: Evidence | null,
): Promise<RegisteredUser> {
  const isOfIt = evidence !== null && evidence.number === registration.whatsapp_number;
  const { number: _number, ...brought } = isOfIt ? evidence : { number: '' };
  return api('POST /users', { body: { ...registration, ...brought } });
}

export function askForCode(whatsapp_number: string): Promise<Success> {
  return api('POST /auth/prove-number', { body: { whatsapp_number } });
}

/** Sends a code to the number that shall be the reader's. */
export function askForChange(body: BodyOf<'POST /me/whatsapp-number'>): Promise<Success> {
  return api('POST /me/whatsapp-number', { body });
}

export function confirmNumber(body: BodyOf<'POST /me/whatsapp-number/confirm'>): Promise<Me> {
  return api('POST /me/whatsapp-number/confirm', { body });
}

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
