import type { Me, RegisteredUser, Session } from '#contract/accounts.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { NumberEvidence, Success } from '#contract/recovery.ts';
import { api } from '#web/api/client.ts';
import type { Session as ReaderSession } from '#web/api/session.ts';

/** @returns null if the response contains no token. */
export async function logIn({ email, password }: { email: string; password: string }): Promise<ReaderSession | null> {
  const answer: Partial<Session> | null = await api('POST /login', { form: { username: email, password } });
  return answer?.access_token && answer.user_id ? { token: answer.access_token, userId: answer.user_id } : null;
}

/**
 * @param evidence proves a phone number. It is sent only if it belongs to the phone number that is being registered.
 */
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

/** Sends a verification code to the signed-in person's new phone number. */
export function askForChange(body: BodyOf<'POST /me/whatsapp-number'>): Promise<Success> {
  return api('POST /me/whatsapp-number', { body });
}

export function confirmNumber(body: BodyOf<'POST /me/whatsapp-number/confirm'>): Promise<Me> {
  return api('POST /me/whatsapp-number/confirm', { body });
}

/** Proof that a phone number belongs to the user: a verification code, or a WhatsApp message from the user. */
export type Evidence = Partial<NumberEvidence> & { number: string };
