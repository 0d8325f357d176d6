import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { NewPasskey, Passkey, PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import { call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { newCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { issueCode } from '#tests/worker/support/messages.ts';
import {
  addPasskey,
  approve,
  ask,
  codeOf,
  GUARDED,
  optionsFor,
  PLACE,
  SoftAuthenticator,
  show,
  signInAgain,
} from '#tests/worker/support/moderation.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { recordStepUp } from '#worker/passkeys/passkeys.ts';
import { clearExpired } from '#worker/retention.ts';

const OPTIONS = '/api/me/passkeys/options';
const STEP_UP_OPTIONS = '/api/admin/step-up/options';

test('a new passkey’s options demand user verification, contain the admin’s name and the domain, and exclude stored passkeys', async () => {
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

test('the options for a new passkey contain the domain that is configured as RP_ID', async () => {
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

test('a new passkey is refused if the challenge or domain is wrong, the user is not verified or the passkey is already stored', async () => {
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

test('repeating a request with the same idempotency key returns the first request’s passkey, and adds no second passkey', async () => {
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

test('an idempotency key can be used again if its request added no passkey', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, admin);
  const caller = { ...admin, headers: { 'Idempotency-Key': 'ufunguo' } };
  const added = await ask('POST', '/api/me/passkeys', caller, key.register({ challenge, ...PLACE }));
  expect(await codeOf(added)).toBe('400 passkey_refused');
  const kept = env.DB.prepare('select count(*) as n from idempotency_keys where user_id = ?').bind(admin.id);
  expect(await kept.first('n')).toBe(0);
});

test('a challenge for adding a passkey cannot be used to confirm an admin’s session', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { challenge } = await optionsFor<PasskeyOptions>(OPTIONS, admin);
  const shown = await ask('POST', '/api/admin/step-up', admin, key.show({ challenge, ...PLACE }));
  expect(await codeOf(shown)).toBe('400 passkey_refused');
});

test('the list of passkeys shows when each passkey was last used', async () => {
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

test('after an admin removes a passkey, only the sessions that this passkey confirmed need a new confirmation', async () => {
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

test('a passkey does not confirm an admin’s session if another request uses the passkey during the confirmation', async () => {
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

const HOUR = 60 * 60 * 1000;

test('an admin can change things only in a session confirmed by a passkey, and can read without a passkey', async () => {
  const admin = await newPlatformAdmin();
  expect(await codeOf(await approve(admin))).toBe('403 step_up_needed');
  expect((await ask('GET', '/api/admin/communities', admin)).status).toBe(200);
  const { key, added } = await addPasskey(admin);
  expect(added.status).toBe(201);
  expect(await added.json()).toEqual({
    id: key.id.toString('base64url'),
    created_at: expect.any(String),
    last_used_at: null,
  });
  // Adding a passkey also confirms the session.
  expect((await approve(admin)).status).toBe(200);
  const elsewhere = await signInAgain(admin);
  expect(await codeOf(await approve(elsewhere))).toBe('403 step_up_needed');
  const shown = await show(elsewhere, (challenge) => key.show({ challenge, ...PLACE }));
  expect(shown.status).toBe(200);
  const { expires_at } = await shown.json<{ expires_at: string }>();
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 12 * HOUR)).toBeLessThan(60_000);
  expect((await approve(elsewhere)).status).toBe(200);
});

test('ADMIN_STEP_UP=off lets admins change things without a passkey, but only if WHATSAPP_TRANSPORT is “local”', async () => {
  const admin = await newPlatformAdmin();
  const { id } = await newCommunity(await newPerson());
  expect((await call('POST', `/api/admin/communities/${id}/approve`, undefined, admin)).status).toBe(200);
  await addPasskeyUnguarded(admin);
  await addPasskeyUnguarded(await signInAgain(admin));
  const deployed = {
    ...env,
    ADMIN_STEP_UP: 'off',
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'x',
  };
  expect(readConfig(deployed).passkeys.areNeeded).toBe(true);
});

async function addPasskeyUnguarded(admin: Person): Promise<void> {
  const options = await call('POST', '/api/me/passkeys/options', undefined, admin);
  const { challenge } = await options.json<PasskeyOptions>();
  const answer = new SoftAuthenticator().register({ challenge, ...PLACE });
  const added = await call('POST', '/api/me/passkeys', { ...answer, current_password: admin.password }, admin);
  expect(added.status).toBe(201);
}

test('adding an admin’s first passkey requires the password, and adding another requires an existing passkey', async () => {
  const admin = await newPlatformAdmin();
  const key = new SoftAuthenticator();
  const { added } = await addPasskey(admin, key, null);
  expect(added.status).toBe(422);
  expect(await added.json()).toMatchObject({ errors: [{ field: 'current_password' }] });
  expect(await codeOf((await addPasskey(admin, key, 'si hili')).added)).toBe('403 wrong_password');
  const { challenge } = await optionsFor<PasskeyOptions>('/api/me/passkeys/options', admin);
  const answer = key.register({ challenge, ...PLACE });
  expect((await ask('POST', '/api/me/passkeys', admin, { ...answer, current_password: 'si hili' })).status).toBe(403);
  // A wrong password does not use up the passkey's challenge; the right one does.
  const right = { ...answer, current_password: admin.password };
  expect((await ask('POST', '/api/me/passkeys', admin, right)).status).toBe(201);
  expect(await codeOf(await ask('POST', '/api/me/passkeys', admin, right))).toBe('400 passkey_refused');
  const thief = await signInAgain(admin);
  expect(await codeOf((await addPasskey(thief)).added)).toBe('403 step_up_needed');
  expect(await codeOf(await ask('DELETE', `/api/me/passkeys/${key.id.toString('base64url')}`, thief))).toBe(
    '403 step_up_needed',
  );
  expect((await addPasskey(admin, new SoftAuthenticator(), null)).added.status).toBe(201);
  const listed = await (await ask('GET', '/api/me/passkeys', admin)).json<Passkey[]>();
  expect(listed).toHaveLength(2);
  expect(JSON.stringify(listed)).not.toContain('public_key');
});

test('only platform admins can have passkeys', async () => {
  const person = await newPerson();
  const { id } = await newCommunity(person);
  for (const [method, path, body] of [
    ['GET', '/api/me/passkeys'],
    ['POST', '/api/me/passkeys/options'],
    ['DELETE', '/api/me/passkeys/x'],
    ['POST', '/api/admin/step-up/options'],
    ['POST', `/api/admin/communities/${id}/approve`],
    ['POST', '/api/admin/step-up', new SoftAuthenticator().show({ challenge: 'x', ...PLACE })],
    ['POST', '/api/me/passkeys', new SoftAuthenticator().register({ challenge: 'x', ...PLACE })],
  ] as const)
    expect([path, await codeOf(await ask(method, path, person, body))]).toEqual([path, '403 forbidden']);
});

test('confirming a session is refused with a wrong challenge, domain or signature, or with another admin’s passkey', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const session = await signInAgain(admin);
  const refused: Record<string, (challenge: string) => StepUp> = {
    'another challenge': () => key.show({ challenge: Buffer.from('jana').toString('base64url'), ...PLACE }),
    'another site': (challenge) => key.show({ challenge, ...PLACE, origin: 'https://patikana.example' }),
    'another domain': (challenge) => key.show({ challenge, ...PLACE, rpId: 'patikana.example' }),
    'nobody verified': (challenge) => key.show({ challenge, ...PLACE }, { isVerified: false }),
    'a registration': (challenge) => key.show({ challenge, ...PLACE }, { type: 'webauthn.create' }),
    'an unknown passkey': (challenge) => new SoftAuthenticator().show({ challenge, ...PLACE }),
    "another's signature": (challenge) => ({
      ...new SoftAuthenticator().show({ challenge, ...PLACE }),
      id: key.id.toString('base64url'),
      rawId: key.id.toString('base64url'),
    }),
  };
  for (const [name, answerWith] of Object.entries(refused))
    expect([name, await codeOf(await show(session, answerWith))]).toEqual([name, '400 passkey_refused']);
  expect(await codeOf(await approve(session))).toBe('403 step_up_needed');
  const other = await newPlatformAdmin();
  await addPasskey(other);
  expect(await codeOf(await show(other, (challenge) => key.show({ challenge, ...PLACE })))).toBe('400 passkey_refused');
});

test('a passkey’s signature cannot be used twice, and a copied passkey is detected by its use counter', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { challenge } = await optionsFor<StepUpOptions>('/api/admin/step-up/options', admin);
  const answer = key.show({ challenge, ...PLACE });
  const both = await Promise.all([1, 2].map(() => ask('POST', '/api/admin/step-up', admin, answer)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await codeOf(await show(admin, (next) => key.show({ challenge: next, ...PLACE }, { counter: 1 })))).toBe(
    '400 passkey_refused',
  );
});

test('a session’s confirmation by passkey expires after 12 hours, and a challenge after 5 minutes', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  await env.DB.prepare('update step_ups set expires_at = ? where user_id = ?').bind(Date.now(), admin.id).run();
  expect(await codeOf(await approve(admin))).toBe('403 step_up_needed');
  const late = await show(admin, (challenge) => key.show({ challenge, ...PLACE }));
  expect(late.status).toBe(200);
  const { challenge } = await optionsFor<StepUpOptions>('/api/admin/step-up/options', admin);
  await env.DB.prepare('update passkey_challenges set expires_at = ? where user_id = ?')
    .bind(Date.now(), admin.id)
    .run();
  const tooLate = await ask('POST', '/api/admin/step-up', admin, key.show({ challenge, ...PLACE }));
  expect(await codeOf(tooLate)).toBe('400 passkey_refused');
  const count = () =>
    env.DB.prepare(
      'select (select count(*) from step_ups where user_id = ?1) + (select count(*) from passkey_challenges where user_id = ?1) as n',
    )
      .bind(admin.id)
      .first<number>('n');
  const before = Date.now();
  await optionsFor('/api/admin/step-up/options', admin);
  const challengeEndsAt = await env.DB.prepare('select expires_at from passkey_challenges where user_id = ?')
    .bind(admin.id)
    .first<number>('expires_at');
  expect(Math.abs((challengeEndsAt ?? 0) - before - 5 * 60_000)).toBeLessThan(60_000);
  const end = Date.now() + 13 * HOUR;
  for (const table of ['step_ups', 'passkey_challenges'])
    await env.DB.prepare(`update ${table} set expires_at = ? where user_id = ?`).bind(end, admin.id).run();
  await clearExpired(openDb(env), end - 1);
  expect(await count()).toBe(2);
  await clearExpired(openDb(env), end);
  expect(await count()).toBe(0);
});

test('an admin who removes their only passkey cannot approve communities, and needs the password to add a passkey', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const other = await newPlatformAdmin();
  await addPasskey(other);
  const path = `/api/me/passkeys/${key.id.toString('base64url')}`;
  expect(await codeOf(await ask('DELETE', path, other))).toBe('404 passkey_not_found');
  expect((await ask('DELETE', path, admin)).status).toBe(204);
  expect(await codeOf(await approve(admin))).toBe('403 step_up_needed');
  expect(await codeOf(await ask('POST', '/api/admin/step-up/options', admin))).toBe('409 no_passkey');
  expect(await codeOf((await addPasskey(admin, key, null)).added)).toBe('422 validation_failed');
});

test('a password reset neither adds, removes nor replaces a passkey', async () => {
  const admin = await newPlatformAdmin();
  const { key } = await addPasskey(admin);
  const { code } = await issueCode(admin.phone);
  const reset = { whatsapp_number: admin.phone, verification_code: code, new_password: 'mwembe mkubwa' };
  expect((await call('POST', '/api/auth/reset-password', reset)).status).toBe(200);
  const { access_token: token } = await (await signIn(admin.email, 'mwembe mkubwa')).json<Session>();
  expect(await codeOf(await approve({ token }))).toBe('403 step_up_needed');
  const passkeys = await (await ask('GET', '/api/me/passkeys', { token })).json<Passkey[]>();
  expect(passkeys.map(({ id }) => id)).toEqual([key.id.toString('base64url')]);
  const { added } = await addPasskey({ ...admin, token }, new SoftAuthenticator(), 'mwembe mkubwa');
  expect(await codeOf(added)).toBe('403 step_up_needed');
});

test('an admin has at most ten passkeys', async () => {
  const admin = await newPlatformAdmin();
  for (let n = 0; n < 10; n++) expect((await addPasskey(admin)).added.status).toBe(201);
  expect(await codeOf(await ask('POST', '/api/me/passkeys/options', admin))).toBe('409 too_many_passkeys');
  // Inserts a challenge as if the admin had requested it while having nine passkeys.
  const challenge = Buffer.from('ya tisa').toString('base64url');
  await env.DB.prepare(
    "insert into passkey_challenges (user_id, purpose, challenge, expires_at) values (?, 'add', ?, ?)",
  )
    .bind(admin.id, challenge, Date.now() + HOUR)
    .run();
  const answer = new SoftAuthenticator().register({ challenge, ...PLACE });
  expect(await codeOf(await ask('POST', '/api/me/passkeys', admin, answer))).toBe('400 passkey_refused');
  expect(await (await ask('GET', '/api/me/passkeys', admin)).json()).toHaveLength(10);
});
