import { env } from 'cloudflare:workers';
import type { PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import { app } from '#worker/app.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { type Caller, newPerson, ORIGIN, type Person } from './api.ts';
import { newCommunity } from './communities.ts';
import { SoftAuthenticator } from './soft-authenticator.ts';

export const GUARDED = { ...env, ADMIN_STEP_UP: 'on' } as unknown as Env;
export const PLACE = { origin: ORIGIN, rpId: 'localhost' };

/** As `call`, where what admins change needs a passkey. */
export async function ask(
  method: string,
  path: string,
  { token, headers }: Pick<Person, 'token'> & Caller,
  body?: unknown,
): Promise<Response> {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return app.fetch(request, GUARDED, ctx as unknown as ExecutionContext);
}

export async function codeOf(answer: Response): Promise<string> {
  const { code } = await answer.json<{ code: string }>();
  return `${answer.status} ${code}`;
}

export async function optionsFor<Options>(path: string, person: { token: string }): Promise<Options> {
  return (await ask('POST', path, person)).json<Options>();
}

export async function addPasskey(
  admin: Person,
  key = new SoftAuthenticator(),
  password: string | null = admin.password,
) {
  const { challenge } = await optionsFor<PasskeyOptions>('/api/me/passkeys/options', admin);
  const answer = key.register({ challenge, ...PLACE });
  const added = await ask('POST', '/api/me/passkeys', admin, {
    ...answer,
    ...(password && { current_password: password }),
  });
  return { key, added };
}

export async function show(admin: { token: string }, answerWith: (challenge: string) => StepUp): Promise<Response> {
  const { challenge } = await optionsFor<StepUpOptions>('/api/admin/step-up/options', admin);
  return ask('POST', '/api/admin/step-up', admin, answerWith(challenge));
}

/** Another session of the same person. */
export async function signInAgain(person: Person): Promise<Person> {
  const token = await signSessionToken(readConfig(env).keys.session, {
    userId: person.id,
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  return { ...person, token };
}

export async function approve(admin: { token: string }): Promise<Response> {
  const { id } = await newCommunity(await newPerson());
  return ask('POST', `/api/admin/communities/${id}/approve`, admin);
}
