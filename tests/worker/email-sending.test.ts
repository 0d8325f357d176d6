import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { Env } from '#worker/env.ts';
import { ask, call, newPerson, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { SETTLED } from './support/deliver-job.ts';
import { deliverEmail, proveEmail, standInForEmail } from './support/emails.ts';
import { passCalls } from './support/pass-calls.ts';
import { emailJob, newReachable, tellMatch } from './support/waiting.ts';

let logs: ReturnType<typeof captureLogs>;
let platform: ReturnType<typeof standInForEmail>;

beforeEach(() => {
  logs = captureLogs();
  platform = standInForEmail();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await env.DB.exec('delete from email_links');
});

async function newReader(): Promise<Person> {
  const person = await newReachable();
  await proveEmail(person);
  return person;
}

async function isProven(person: Person): Promise<boolean> {
  return (await (await call('GET', '/api/me', undefined, person)).json<Me>()).is_email_proven;
}

function readEmail(id: string) {
  return env.DB.prepare('select status, attempts, error_code, content from email_messages where id = ?')
    .bind(id)
    .first();
}

/** A link as a request leaves it in D1, without the queue. */
async function insertLink({ id: userId }: Person, email: string, ageMs = 0) {
  const linkId = crypto.randomUUID();
  await env.DB.prepare(
    `insert or replace into email_links (user_id, id, email, email_key, token_digest, origin, created_at)
     values (?1, ?2, ?3, ?3, ?2, 'https://patikana.test', ?4)`,
  )
    .bind(userId, linkId, email, Date.now() - ageMs)
    .run();
  return { kind: 'confirm_email', linkId };
}

test('what is sent is recorded without its content, and logged with its kind and attempt', async () => {
  const person = await newReader();
  const job = emailJob(person, [await tellMatch(person)]);
  platform.failNext('E_RATE_LIMIT_EXCEEDED');
  await deliverEmail(platform.env, job);
  const refused = { event: 'email_refused', job_id: expect.any(String), kind: 'match_notice', attempt: 1 };
  expect(logs.warn).toHaveBeenCalledWith({ ...refused, error_code: 'E_RATE_LIMIT_EXCEEDED', verdict: 'retry' });
  expect(await readEmail(job.messageId)).toEqual({
    status: 'waiting',
    attempts: 1,
    error_code: 'E_RATE_LIMIT_EXCEEDED',
    content: null,
  });
  await deliverEmail(platform.env, job, { attempts: 2 });
  expect(await readEmail(job.messageId)).toEqual({ status: 'accepted', attempts: 2, error_code: null, content: null });
  const accepted = { event: 'email_accepted', job_id: expect.any(String), kind: 'match_notice', attempt: 2 };
  expect(logs.log).toHaveBeenCalledWith(accepted);
  await deliverEmail(platform.env, job, { attempts: 3 });
  expect(logs.log).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'email_dropped', kind: 'notice', reason: 'settled_before' }),
  );
});

test('an address that has bounced leaves no dead letter, and other addresses stay proven', async () => {
  const [person, other] = [await newReader(), await newReader()];
  const job = emailJob(person, [await tellMatch(person)]);
  platform.failNext('E_RECIPIENT_SUPPRESSED');
  expect(await deliverEmail(platform.env, job)).toEqual(SETTLED);
  expect(platform.deadLetters).toEqual([]);
  expect(await readEmail(job.messageId)).toMatchObject({ status: 'failed', error_code: 'E_RECIPIENT_SUPPRESSED' });
  expect([await isProven(person), await isProven(other)]).toEqual([false, true]);
});

test('a dead letter ends what waits, with the reason it had, and leaves what was sent', async () => {
  const person = await newReader();
  const [waiting, sent] = [await tellMatch(person), await tellMatch(person)].map((id) => emailJob(person, [id]));
  if (!waiting || !sent) throw new Error('no jobs');
  platform.failNext(null, 'E_DELIVERY_FAILED');
  await deliverEmail(platform.env, waiting);
  expect(await readEmail(waiting.messageId)).toMatchObject({ status: 'waiting', error_code: null });
  await deliverEmail(platform.env, waiting, { attempts: 2 });
  await deliverEmail(platform.env, sent);
  for (const job of [waiting, sent]) expect(await deliverEmail(platform.env, job, { isDead: true })).toEqual(SETTLED);
  expect(await readEmail(waiting.messageId)).toMatchObject({ status: 'failed', error_code: 'E_DELIVERY_FAILED' });
  expect(await readEmail(sent.messageId)).toMatchObject({ status: 'accepted' });
  await deliverEmail(platform.env, waiting, { attempts: 3 });
  expect(platform.sent).toHaveLength(1);
});

test('while the database cannot be asked an e-mail comes back, an hour later at most', async () => {
  const person = await newReader();
  const job = emailJob(person, [await tellMatch(person)]);
  const DB = passCalls(env.DB, () => Promise.reject(new TypeError('D1_ERROR: no such thing')));
  const broken = { ...platform.env, DB } as Env;
  for (const [attempts, retryIn] of [
    [1, 30],
    [28, 3600],
  ] as const)
    expect(await deliverEmail(broken, job, { attempts })).toEqual({ isAcked: false, retryIn });
  expect(platform.sent).toEqual([]);
  expect(logs.error.mock.calls[0]?.[0]).toEqual({
    event: 'email_consumer_failed',
    job_id: expect.any(String),
    name: expect.stringMatching(/Error$/),
  });
});

test('a link goes to the address that it proves, while it is the account’s and works', async () => {
  const [person, other, gone] = [await newPerson(), await newPerson(), await newPerson()];
  const replaced = await insertLink(person, 'ya-kale@example.com');
  const link = await insertLink(person, 'mpya@example.com');
  const expired = await insertLink(other, 'ya-jana@example.com', DAY_MS);
  const left = await insertLink(gone, 'aliyeondoka@example.com');
  await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(gone.id).run();
  for (const job of [replaced, expired, left, link]) expect(await deliverEmail(platform.env, job)).toEqual(SETTLED);
  expect(platform.sent).toEqual([
    {
      to: 'mpya@example.com',
      from: 'habari@patikana.test',
      subject: 'Confirm your email address',
      text: expect.stringMatching(/https:\/\/patikana\.test\/confirm-email#[\w-]{43}\n/),
      html: expect.stringContaining('href="https://patikana.test/confirm-email#'),
      headers: { References: `<${link.linkId}@patikana.test>`, 'Auto-Submitted': 'auto-generated' },
    },
  ]);
  const dropped = { event: 'email_dropped', job_id: expect.any(String), kind: 'confirm_email', reason: 'ended' };
  expect(logs.log.mock.calls.filter(([line]) => line.event === 'email_dropped')).toEqual(Array(3).fill([dropped]));
});

test('a link that the queue does not take is answered so, with an alarm', async () => {
  const person = await newPerson();
  const EMAIL_QUEUE = { send: () => Promise.reject(new TypeError('Too Many Requests')) };
  const body = { email: person.email, current_password: person.password };
  const answer = await ask({ EMAIL_QUEUE }, '/api/me/email', body, { Authorization: `Bearer ${person.token}` });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'email_not_queued', name: 'TypeError' }));
});
