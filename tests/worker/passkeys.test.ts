import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { Passkey, PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { call, newPerson, type Person, signIn } from './support/api.ts';
import { newCommunity, newPlatformAdmin } from './support/communities.ts';
import { addPasskey, approve, ask, codeOf, optionsFor, PLACE, show, signInAgain } from './support/passkeys.ts';
import { SoftAuthenticator } from './support/soft-authenticator.ts';
import { issueCode } from './support/whatsapp.ts';

const HOUR = 60 * 60 * 1000;

test('what an admin changes needs a passkey of this session, and reading does not', async () => {
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
  // Whoever adds one has it at hand.
  expect((await approve(admin)).status).toBe(200);
  const elsewhere = await signInAgain(admin);
  expect(await codeOf(await approve(elsewhere))).toBe('403 step_up_needed');
  const shown = await show(elsewhere, (challenge) => key.show({ challenge, ...PLACE }));
  expect(shown.status).toBe(200);
  const { expires_at } = await shown.json<{ expires_at: string }>();
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 12 * HOUR)).toBeLessThan(60_000);
  expect((await approve(elsewhere)).status).toBe(200);
});

test('where it is switched off under the local transport, nothing needs a passkey', async () => {
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

test('the first passkey needs the password, a further one the first', async () => {
  const admin = await newPlatformAdmin();
  const key = new SoftAuthenticator();
  const { added } = await addPasskey(admin, key, null);
  expect(added.status).toBe(422);
  expect(await added.json()).toMatchObject({ errors: [{ field: 'current_password' }] });
  expect(await codeOf((await addPasskey(admin, key, 'si hili')).added)).toBe('403 wrong_password');
  const { challenge } = await optionsFor<PasskeyOptions>('/api/me/passkeys/options', admin);
  const answer = key.register({ challenge, ...PLACE });
  expect((await ask('POST', '/api/me/passkeys', admin, { ...answer, current_password: 'si hili' })).status).toBe(403);
  // A wrong password does not use the passkey up, and a right one does.
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

test('nobody but a platform admin has passkeys', async () => {
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

test('a passkey is refused that signed something else, elsewhere, earlier, unseen, or is not theirs', async () => {
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

test('a signature is good once, and a copy of a passkey is noticed', async () => {
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

test('a step counts for 12 hours and its challenge for 5 minutes, and the sweep drops both', async () => {
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

test('a passkey that is removed ends what it was shown for; the next first one needs the password again', async () => {
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

test('a new password adds no passkey, takes none away, and stands for none', async () => {
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

test('an admin has ten passkeys at most', async () => {
  const admin = await newPlatformAdmin();
  for (let n = 0; n < 10; n++) expect((await addPasskey(admin)).added.status).toBe(201);
  expect(await codeOf(await ask('POST', '/api/me/passkeys/options', admin))).toBe('409 too_many_passkeys');
});
