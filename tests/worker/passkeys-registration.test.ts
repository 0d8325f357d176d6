import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { NewPasskey, Passkey, PasskeyOptions, StepUpOptions } from '#contract/passkeys.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { recordStepUp } from '#worker/passkeys/store.ts';
import { ORIGIN, type Person } from './support/api.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { addPasskey, approve, ask, codeOf, GUARDED, optionsFor, PLACE, show, signInAgain } from './support/passkeys.ts';
import { SoftAuthenticator } from './support/soft-authenticator.ts';

const OPTIONS = '/api/me/passkeys/options';
const STEP_UP_OPTIONS = '/api/admin/step-up/options';

test('a browser is asked for a verified passkey of this person here, and for none that they have', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const descriptor = { id: key.id.toString('base64url'), type: 'public-key', transports: ['internal'] };
  expect(await optionsFor<PasskeyOptions>(OPTIONS, admin)).toEqual({
    rp: { id: 'localhost', name: 'Patikana' },
    user: { id: Buffer.from(admin.id).toString('base64url'), name: admin.email, displayName: admin.username },
    challenge: expect.stringMatching(/^[\w-]{40,}$/),
    pubKeyCredParams: expect.arrayContaining([{ alg: -7, type: 'public-key' }]),
    timeout: 60_000,
    attestation: 'none',
    excludeCredentials: [descriptor],
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
  });
  expect(await optionsFor<StepUpOptions>(STEP_UP_OPTIONS, admin)).toEqual({
    rpId: 'localhost',
    challenge: expect.stringMatching(/^[\w-]{40,}$/),
    timeout: 60_000,
    userVerification: 'required',
    allowCredentials: [descriptor],
  });
});

test('passkeys belong to the domain that the operator names', async () => {
  const admin = await newPlatformAdmin();
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const headers = { Authorization: `Bearer ${admin.token}` };
  const request = new Request(`${ORIGIN}${OPTIONS}`, { method: 'POST', headers });
  const answer = await app.fetch(
    request,
    { ...GUARDED, RP_ID: 'patikana.example' },
    ctx as unknown as ExecutionContext,
  );
  expect((await answer.json<PasskeyOptions>()).rp.id).toBe('patikana.example');
});

test('no passkey is added that signed something else, elsewhere, unseen, or is there already', async () => {
  const [admin, other] = [await newPlatformAdmin(), await newPlatformAdmin()];
  const key = new SoftAuthenticator();
  const add = async (person: Person, answerWith: (challenge: string) => NewPasskey) => {
    const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, person);
    const body = { ...answerWith(challenge), current_password: person.password };
    return ask('POST', '/api/me/passkeys', person, body);
  };
  const refused: Record<string, (challenge: string) => NewPasskey> = {
    'another challenge': () => key.register({ challenge: Buffer.from('jana').toString('base64url'), ...PLACE }),
    'another site': (challenge) => key.register({ challenge, ...PLACE, origin: 'https://patikana.example' }),
    'another domain': (challenge) => key.register({ challenge, ...PLACE, rpId: 'patikana.example' }),
    'nobody verified': (challenge) => key.register({ challenge, ...PLACE }, { isVerified: false }),
  };
  for (const [name, answerWith] of Object.entries(refused))
    expect([name, await codeOf(await add(admin, answerWith))]).toEqual([name, '400 passkey_refused']);
  expect(await (await ask('GET', '/api/me/passkeys', admin)).json()).toEqual([]);
  const register = (challenge: string) => key.register({ challenge, ...PLACE });
  expect((await add(admin, register)).status).toBe(201);
  expect(await codeOf(await add(admin, register))).toBe('400 passkey_refused');
  expect(await codeOf(await add(other, register))).toBe('400 passkey_refused');
  expect(await codeOf(await approve(other))).toBe('403 step_up_needed');
  expect(await (await ask('GET', '/api/me/passkeys', other)).json()).toEqual([]);
});

test('the same key adds one passkey, without the password a second time, and says what has become of it', async () => {
  const admin = await newPlatformAdmin();
  const key = new SoftAuthenticator();
  const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, admin);
  const body = { ...key.register({ challenge, ...PLACE }), current_password: admin.password };
  const caller = { ...admin, headers: { 'Idempotency-Key': 'ufunguo' } };
  const add = (given: NewPasskey) => ask('POST', '/api/me/passkeys', caller, given);
  expect(await codeOf(await add({ ...body, current_password: 'si hili nenosiri' }))).toBe('403 wrong_password');
  const first = await add(body);
  expect(first.status).toBe(201);
  const passkey = await first.json<Passkey>();
  const session = await signInAgain(admin);
  const again = await ask('POST', '/api/me/passkeys', { ...session, headers: caller.headers }, body);
  expect([again.status, await again.json()]).toEqual([201, passkey]);
  expect(await codeOf(await approve(session))).toBe('403 step_up_needed');
  expect(await (await ask('GET', '/api/me/passkeys', admin)).json()).toEqual([passkey]);
  expect(await codeOf(await add({ ...body, current_password: '' }))).toBe('422 idempotency_mismatch');
  expect((await ask('DELETE', `/api/me/passkeys/${passkey.id}`, admin)).status).toBe(204);
  expect(await codeOf(await add(body))).toBe('409 idempotency_conflict');
});

test('a key that has added no passkey is free', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, admin);
  const caller = { ...admin, headers: { 'Idempotency-Key': 'ufunguo' } };
  const added = await ask('POST', '/api/me/passkeys', caller, key.register({ challenge, ...PLACE }));
  expect(await codeOf(added)).toBe('400 passkey_refused');
  const kept = env.DB.prepare('select count(*) as n from idempotency_keys where user_id = ?').bind(admin.id);
  expect(await kept.first('n')).toBe(0);
});

test('a challenge to add a passkey is none to use one', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, admin);
  const shown = await ask('POST', '/api/admin/step-up', admin, key.show({ challenge, ...PLACE }));
  expect(await codeOf(shown)).toBe('400 passkey_refused');
});

test('the list says when each passkey was last used', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const second = await addPasskey(admin, new SoftAuthenticator(), null);
  const before = Date.now();
  expect((await show(admin, (challenge) => key.show({ challenge, ...PLACE }))).status).toBe(200);
  const listed = await (await ask('GET', '/api/me/passkeys', admin)).json<Passkey[]>();
  const lastUsed = (one: SoftAuthenticator) =>
    listed.find(({ id }) => id === one.id.toString('base64url'))?.last_used_at;
  expect(Date.parse(lastUsed(key) ?? '')).toBeGreaterThanOrEqual(before);
  expect(lastUsed(second.key)).toBeNull();
});

test('removing a passkey ends no step that was made with another', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { key: spare } = await addPasskey(admin, new SoftAuthenticator(), null);
  expect((await show(admin, (challenge) => key.show({ challenge, ...PLACE }))).status).toBe(200);
  const session = await signInAgain(admin);
  expect((await show(session, (challenge) => spare.show({ challenge, ...PLACE }))).status).toBe(200);
  expect((await ask('DELETE', `/api/me/passkeys/${spare.id.toString('base64url')}`, admin)).status).toBe(204);
  expect((await approve(admin)).status).toBe(200);
  expect(await codeOf(await approve(session))).toBe('403 step_up_needed');
});

test('a passkey that was used or removed meanwhile is refused, and the session has made no step', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const session = await signInAgain(admin);
  const viewer = {
    userId: admin.id,
    tokenVersion: 1,
    sessionId: sessionIdOf(session),
    sessionEndsAt: 0,
  };
  const id = key.id.toString('base64url');
  const recorded = recordStepUp(openDb(env), viewer, { id, before: 7, counter: 8, now: Date.now() });
  expect(await recorded).toBeNull();
  expect(await codeOf(await approve(session))).toBe('403 step_up_needed');
});

function sessionIdOf({ token }: { token: string }): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(atob(claims)) as { sid: string }).sid;
}
