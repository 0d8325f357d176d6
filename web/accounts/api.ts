import type { RegisteredUser, Registration, Session } from '#contract/accounts.ts';
import { api } from '#web/lib/api-client.ts';
import type { Session as ReaderSession } from '#web/lib/session.ts';

/** @returns null for an answer that holds no session. */
export async function logIn({ email, password }: { email: string; password: string }): Promise<ReaderSession | null> {
  const answer: Partial<Session> | null = await api('POST /login', { form: { username: email, password } });
  return answer?.access_token && answer.user_id ? { token: answer.access_token, userId: answer.user_id } : null;
}

export function register(registration: Registration): Promise<RegisteredUser> {
  return api('POST /users', { body: registration });
}
