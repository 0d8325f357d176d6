import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import { app } from '#worker/app.ts';
import { newPerson, ORIGIN } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { collectInto, DEAD_QUEUE, deliver, readCode, standInForMeta } from './support/whatsapp.ts';

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
  test(`no log line, error, URL, queue, dead letter or table holds the code: ${JSON.stringify(fault)}`, async () => {
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
    // A database that fails tells the whole statement in its error, values included.
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
    // By itself: six digits in a row may stand in any random id.
    const alone = new RegExp(`(?<!\\w)${code}(?!\\w)`);
    for (const text of [...logged, ...answers, ...urls, ...meta.urls, JSON.stringify([jobs, meta.deadLetters])]) {
      expect(text).not.toMatch(alone);
    }
    expect(await dumpDatabase()).not.toMatch(alone);
    expect(meta.api.calls.filter(({ message }) => message).every(({ message }) => message?.button === code)).toBe(true);
  });
}

function failing(code: string) {
  return () => {
    throw new Error(`D1_ERROR: near "x": select ... params: ${code}`);
  };
}

/** An entry as a terminal or a log service would write it, with the messages and stacks of errors. */
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
