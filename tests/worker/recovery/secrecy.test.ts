import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { NoticeList } from '#contract/notices.ts';
import { call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { connect, settled } from '#tests/worker/support/live.ts';
import {
  collectInto,
  DEAD_QUEUE,
  deliver,
  issueCode,
  readCode,
  standInForMeta,
} from '#tests/worker/support/messages.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { holderOf } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';

describe('secrecy', () => {
  afterEach(() => vi.unstubAllGlobals());

  const FAULTS = [
    { code: 131000, httpStatus: 500 },
    { code: 131026, httpStatus: 400 },
    { code: 190, httpStatus: 401 },
    { code: 132001, httpStatus: 404 },
    { html: 502 },
    'drop',
    'no_id',
    null,
  ] as const;

  for (const fault of FAULTS) {
    test(`no log line, error, URL, queue, dead letter or table contains the code: ${JSON.stringify(fault)}`, async () => {
      const { phone } = await newPerson();
      const logs = captureLogs();
      const meta = standInForMeta();
      const jobs: WhatsappJob[] = [];
      const answers: string[] = [];
      const urls: string[] = [];
      const bindings = { ...meta.env, WHATSAPP_QUEUE: collectInto(jobs) };
      const ask = async (path: string, body: Record<string, string>) => {
        const ctx = createExecutionContext();
        const headers = { 'Content-Type': 'application/json' };
        const request = new Request(`${ORIGIN}/api/auth/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        urls.push(request.url);
        const answer = await app.fetch(request, bindings, ctx);
        await waitOnExecutionContext(ctx);
        answers.push(JSON.stringify([...answer.headers]), await answer.text());
        return answer.status;
      };
      await env.DB.exec('delete from whatsapp_pauses');
      await ask('request-password-reset', { whatsapp_number: phone });
      const code = await readCode(phone);
      if (fault) meta.api.failNext(fault, fault, fault);
      for (const job of jobs) {
        for (const attempts of [1, 2, 3, 10]) {
          await deliver(bindings, job, { attempts });
          await env.DB.exec('delete from whatsapp_pauses');
        }
      }
      for (const job of [...jobs, ...meta.deadLetters]) await deliver(bindings, job, { queue: DEAD_QUEUE });
      const guess = { whatsapp_number: phone, verification_code: code };
      // A failing database puts the whole statement, with its values, into its error.
      const broken = bindings.DB;
      bindings.DB = { withSession: () => ({ prepare: failing(code), batch: failing(code) }) } as unknown as D1Database;
      expect(await ask('verify-code', guess)).toBe(500);
      bindings.DB = broken;
      await ask('verify-code', { ...guess, verification_code: '1234567' });
      await ask('reset-password', { ...guess, new_password: 'password' });
      expect(await ask('verify-code', guess)).toBe(200);
      expect(await ask('reset-password', { ...guess, new_password: 'mwembe mkubwa wa babu' })).toBe(200);
      expect(await ask('reset-password', { ...guess, new_password: 'mwembe mkubwa wa babu' })).toBe(400);

      const logged = Object.values(logs).flatMap((logger) => logger.mock.calls.map((entries) => inspect(entries)));
      expect(logged.length).toBeGreaterThan(0);
      // As a separate word: six digits in a row may occur in any random id.
      const alone = new RegExp(`(?<!\\w)${code}(?!\\w)`);
      for (const text of [...logged, ...answers, ...urls, ...meta.urls, JSON.stringify([jobs, meta.deadLetters])]) {
        expect(text).not.toMatch(alone);
      }
      expect(await dumpDatabase()).not.toMatch(alone);
      expect(meta.api.calls.filter(({ message }) => message).every(({ message }) => message?.button === code)).toBe(
        true,
      );
    });
  }

  function failing(code: string) {
    return () => {
      throw new Error(`D1_ERROR: near "x": select ... params: ${code}`);
    };
  }

  /** An entry as a terminal or log service would write it, with the messages and stacks of errors. */
  function inspect(entries: unknown[]): string {
    return JSON.stringify(entries, (_key, value: unknown) =>
      value instanceof Error ? `${value.message} ${value.stack} ${String(value.cause)}` : value,
    );
  }

  async function dumpDatabase(): Promise<string> {
    const tables = [
      'reset_codes',
      'whatsapp_messages',
      'whatsapp_dead_letters',
      'whatsapp_pauses',
      'whatsapp_deliveries',
    ];
    const rows = await Promise.all(tables.map((table) => env.DB.prepare(`select * from ${table}`).all()));
    return JSON.stringify(rows.map(({ results }) => results));
  }
});

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

test('a password set over WhatsApp proves the number, and notifies its owner in the list and live', async () => {
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

test('a refused reset notifies nobody and proves nothing', async () => {
  const person = await newPerson();
  await issueCode(person.phone);
  expect((await call('POST', '/api/auth/reset-password', resetBody(person, '000000'))).status).toBe(400);
  expect(await toldTo(person.token)).toEqual([]);
  expect((await holderOf(person.phone))?.is_proven).toBe(0);
});

test('an interrupted reset is notified only if the password was changed', async () => {
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
    // Work that a dead Worker still had to do fails.
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
  // Every crash costs two hashes.
}, 120_000);
