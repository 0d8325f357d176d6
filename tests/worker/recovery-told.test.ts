import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import { app } from '#worker/app.ts';
import { call, newPerson, ORIGIN, type Person, signIn } from './support/api.ts';
import { connect, settled } from './support/live.ts';
import { mortalEnv } from './support/mortal-env.ts';
import { holderOf } from './support/numbers.ts';
import { issueCode } from './support/whatsapp.ts';

const NEW_PASSWORD = 'mwembe mkubwa';

function resetBody({ phone }: Person, code: string) {
  return { whatsapp_number: phone, verification_code: code, new_password: NEW_PASSWORD };
}

async function tokenAfter(person: Person): Promise<string> {
  const session = await (await signIn(person.email, NEW_PASSWORD)).json<{ access_token: string }>();
  return session.access_token;
}

async function toldTo(token: string) {
  const list = await (await call('GET', '/api/notices', undefined, { token })).json<NoticeList>();
  return list.notices.map(({ message }) => message);
}

test('a password set over WhatsApp proves the number, and is told in the list and as it arrives', async () => {
  const person = await newPerson();
  expect((await holderOf(person.phone))?.is_proven).toBe(0);
  const { code } = await issueCode(person.phone);
  expect((await call('POST', '/api/auth/reset-password', resetBody(person, code))).status).toBe(200);
  expect(await holderOf(person.phone)).toEqual({ id: person.id, is_proven: 1 });
  const token = await tokenAfter(person);
  const [message] = await toldTo(token);
  expect(message).toEqual({ type: 'password_changed', id: expect.any(String), created_at: expect.any(String) });
  const live = await connect({ id: person.id, token });
  await settled(live);
  await expect.poll(() => live.messages).toEqual([message]);
});

test('a reset that is refused tells nobody and proves nothing', async () => {
  const person = await newPerson();
  await issueCode(person.phone);
  expect((await call('POST', '/api/auth/reset-password', resetBody(person, '000000'))).status).toBe(400);
  expect(await toldTo(person.token)).toEqual([]);
  expect((await holderOf(person.phone))?.is_proven).toBe(0);
});

test('a reset that is cut off is told where the password was changed, and nowhere else', async () => {
  for (let dieAt = 0; ; dieAt++) {
    const person = await newPerson();
    const { code } = await issueCode(person.phone);
    const mortal = mortalEnv(dieAt);
    const request = new Request(`${ORIGIN}/api/auth/reset-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(resetBody(person, code)),
    });
    const ctx = createExecutionContext();
    await app.fetch(request, mortal.env, ctx);
    // What a dead Worker had still to do fails.
    await waitOnExecutionContext(ctx).catch(() => undefined);
    const isChanged = (await signIn(person.email, NEW_PASSWORD)).status === 200;
    const told = await env.DB.prepare('select count(*) as n from notices where recipient_id = ?')
      .bind(person.id)
      .first('n');
    expect([dieAt, told, (await holderOf(person.phone))?.is_proven]).toEqual([
      dieAt,
      Number(isChanged),
      Number(isChanged),
    ]);
    if (!mortal.isDead()) return;
  }
  // Every death costs two hashes.
}, 120_000);
