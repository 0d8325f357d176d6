import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { withStepUp } from './step-up.ts';

export const passkeysQuery = queryOptions({
  queryKey: queryKeys.admin.passkeys,
  queryFn: ({ signal }) => api('GET /me/passkeys', { signal }),
});

/** Asks the browser for a new passkey. @param password for the first one, which is added by it. */
export async function addPasskey(password: string): Promise<unknown> {
  const answer = await startRegistration({ optionsJSON: await api('POST /me/passkeys/options') });
  const body = { ...answer, ...(password && { current_password: password }) };
  return withStepUp(() => api('POST /me/passkeys', { body }));
}

/** Asks the browser for one of the passkeys, and shows it to the server. */
export async function showPasskey(): Promise<unknown> {
  const answer = await startAuthentication({ optionsJSON: await api('POST /admin/step-up/options') });
  return api('POST /admin/step-up', { body: answer });
}

export function removePasskey(id: string): Promise<unknown> {
  return withStepUp(() => api('DELETE /me/passkeys/:id', { params: { id } }));
}

/** Why the browser gave no passkey, as a key of the texts; null when it was not the browser. */
export function whyNotShown(error: unknown): 'passkeyKnown' | 'passkeyNotShown' | null {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'passkeyKnown';
  const isBrowsers = error instanceof WebAuthnError || error instanceof DOMException;
  return isBrowsers ? 'passkeyNotShown' : null;
}
