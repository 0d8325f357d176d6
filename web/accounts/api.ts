import { queryOptions } from '@tanstack/react-query';
import type { RegisteredUser, Registration, Session } from '#contract/accounts.ts';
import { ApiError, api } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import type { Session as ReaderSession } from '#web/lib/session.ts';

/** @returns null for an answer that holds no session. */
export async function logIn({ email, password }: { email: string; password: string }): Promise<ReaderSession | null> {
  const answer: Partial<Session> | null = await api('POST /login', { form: { username: email, password } });
  return answer?.access_token && answer.user_id ? { token: answer.access_token, userId: answer.user_id } : null;
}

export function register(registration: Registration): Promise<RegisteredUser> {
  return api('POST /users', { body: registration });
}

export const blocksQuery = queryOptions({
  queryKey: queryKeys.blocks,
  queryFn: ({ signal }) => api('GET /me/blocks', { signal }),
});

/** A block that is gone already is as ended as one could wish. */
export async function unblock(id: string): Promise<void> {
  try {
    await api('DELETE /me/blocks/:id', { params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
