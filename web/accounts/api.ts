import { api } from '#web/lib/api-client.ts';
import type { RegisteredUser, Registration, Session } from '#worker/contract/accounts.ts';

export function logIn({ email, password }: { email: string; password: string }): Promise<Partial<Session> | null> {
  return api('POST', '/login', { form: { username: email, password } });
}

export function register(registration: Registration): Promise<RegisteredUser> {
  return api('POST', '/users', { body: registration });
}
