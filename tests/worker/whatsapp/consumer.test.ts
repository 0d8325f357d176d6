import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Fault } from '#tests/support/graph-api.ts';
import { call, newPerson } from '#tests/worker/support/api.ts';
import { DEAD_QUEUE, deliver, issueCode, readMessage, standInForMeta } from '#tests/worker/support/messages.ts';
import { newReachable } from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import type { Env } from '#worker/env.ts';
import { LEAST_USEFUL_SECONDS, MAX_ATTEMPTS, PAUSE_SECONDS } from '#worker/whatsapp/failures.ts';

describe('the consumer of WhatsApp messages', () => {
  let logs: ReturnType<typeof captureLogs>;

  beforeEach(async () => {
    logs = captureLogs();
    await env.DB.exec('delete from whatsapp_pauses');
    await env.DB.exec('delete from whatsapp_recipients');
    await env.DB.exec("delete from rate_counters where subject like 'whatsapp_recipients:%'");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('sends a reset code once, in the language of its request, and stores the message id that Meta returns', async () => {
    const meta = standInForMeta();
    const { phone } = await newPerson();
    const { code, job } = await issueCode(phone, { language: 'sw' });
    expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.accepted).toEqual([
      { to: phone, template: 'verification_code', language: 'sw', body: [code], button: code },
    ]);
    expect(await readMessage(job.requestId)).toMatchObject({
      status: 'accepted',
      wamid: expect.stringContaining('wamid.'),
    });
  });

  test('does not send a message again if the queue delivers the message’s job a second time', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    await deliver(meta.env, job);
    expect(await deliver(meta.env, job, { attempts: 2 })).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.calls).toHaveLength(1);
  });

  test('sends a message only once if the queue delivers the message’s job twice at the same time', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    await Promise.all(Array.from({ length: 5 }, () => deliver(meta.env, job)));
    expect(meta.api.calls).toHaveLength(1);
  });

  test('does not send a message again if the Worker died after sending it', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    void deliver({ ...meta.env, DB: dyingAfter(1) }, job);
    await vi.waitFor(() => expect(meta.api.accepted).toHaveLength(1));
    expect(await readMessage(job.requestId)).toMatchObject({ status: 'sending' });
    expect(await deliver(meta.env, job, { attempts: 2 })).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.calls).toHaveLength(1);
  });

  test('does not send a message again if the database could not record that it was sent', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    expect(await deliver({ ...meta.env, DB: failingAfter(1) }, job)).toEqual({ isAcked: true, retryIn: null });
    await deliver(meta.env, job, { attempts: 2 });
    expect(meta.api.calls).toHaveLength(1);
  });

  test('returns a message to the queue without sending it if the message cannot be reserved in the database', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    expect(await deliver({ ...meta.env, DB: failingAfter(0) }, job, { attempts: 3 })).toEqual({
      isAcked: false,
      retryIn: 8,
    });
    expect(meta.api.calls).toHaveLength(0);
    await deliver(meta.env, job, { attempts: 4 });
    expect(meta.api.accepted).toHaveLength(1);
  });

  const RETRIED: [string, Fault, number][] = [
    ...[1, 2, 4, 80007, 130429, 131000, 131016, 131057, 133004].map((code): [string, Fault, number] => [
      `error ${code}`,
      { code, httpStatus: 400 },
      1,
    ]),
    ['the rate limit for messages to one person', { code: 131056, httpStatus: 400 }, 6],
    ['an error that nobody has documented', { code: 987654, httpStatus: 400 }, 1],
    ['a broken gateway', { html: 502 }, 1],
    ['a broken connection', 'drop', 1],
  ];

  for (const [name, fault, leastSeconds] of RETRIED) {
    test(`retries a message that failed because of ${name}, with growing delays, until Meta accepts it`, async () => {
      const meta = standInForMeta();
      const { phone } = await newPerson();
      const { job } = await issueCode(phone);
      for (const [index, longest] of [2, 4, 8, 16].entries()) {
        meta.api.failNext(fault);
        const { isAcked, retryIn } = await deliver(meta.env, job, { attempts: index + 1 });
        expect(isAcked).toBe(false);
        expect(retryIn).toBeGreaterThanOrEqual(Math.max(longest / 2, leastSeconds));
        expect(retryIn).toBeLessThanOrEqual(Math.max(longest, leastSeconds));
      }
      expect(await deliver(meta.env, job, { attempts: 5 })).toEqual({ isAcked: true, retryIn: null });
      expect(meta.api.accepted.map(({ to }) => to)).toEqual([phone]);
      expect(await readMessage(job.requestId)).toMatchObject({ status: 'accepted', attempts: 5, error_code: null });
      expect(meta.deadLetters).toEqual([]);
    });
  }

  test('retries a failed message early enough for the person to use its reset code', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone, { ageSeconds: 250 });
    meta.api.failNext({ code: 131000, httpStatus: 500 });
    const { retryIn } = await deliver(meta.env, job, { attempts: 7 });
    expect(retryIn).toBeGreaterThan(0);
    expect(retryIn).toBeLessThanOrEqual(50 - LEAST_USEFUL_SECONDS);
  });

  test('makes a dead letter of a message that fails at the last attempt, or shortly before the reset code in the message expires', async () => {
    const meta = standInForMeta();
    const tooOften = await issueCode((await newPerson()).phone);
    const tooLate = await issueCode((await newPerson()).phone, { ageSeconds: 300 - LEAST_USEFUL_SECONDS });
    meta.api.failNext({ code: 131000, httpStatus: 500 }, { code: 131000, httpStatus: 500 });
    expect(await deliver(meta.env, tooOften.job, { attempts: MAX_ATTEMPTS })).toEqual({ isAcked: true, retryIn: null });
    expect(await deliver(meta.env, tooLate.job)).toEqual({ isAcked: true, retryIn: null });
    expect(meta.deadLetters).toEqual([tooOften.job, tooLate.job]);
    expect(await readMessage(tooLate.job.requestId)).toMatchObject({ status: 'failed', error_code: 131000 });
  });

  test('stops waiting for Meta’s response when the reset code in the message expires', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone, { ageSeconds: 299 });
    meta.api.failNext('hang');
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    expect(timeouts.mock.calls.length).toBeGreaterThan(0);
    for (const [ms] of timeouts.mock.calls) expect(ms).toBeLessThanOrEqual(1_000);
    timeouts.mockRestore();
    expect(meta.deadLetters).toEqual([job]);
  });

  for (const code of [100, 130472, 131008, 131009, 131021, 131026, 131047, 131049, 132000, 132005, 132007, 132012]) {
    test(`does not retry a message after Meta’s error ${code}`, async () => {
      const meta = standInForMeta();
      const { job } = await issueCode((await newPerson()).phone);
      meta.api.failNext({ code, httpStatus: 400 });
      expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
      expect(meta.deadLetters).toEqual([job]);
      expect(await readMessage(job.requestId)).toMatchObject({ status: 'failed', error_code: code });
      await deliver(meta.env, job, { attempts: 2 });
      expect(meta.api.calls).toHaveLength(1);
    });
  }

  for (const code of [0, 3, 10, 190, 200, 299, 368, 131005, 131031, 131042, 131048, 132015, 132016, 133010]) {
    test(`stops sending after Meta’s error ${code}, raises an alarm and keeps the messages queued`, async () => {
      const meta = standInForMeta();
      const first = await issueCode((await newPerson()).phone);
      const second = await issueCode((await newPerson()).phone);
      meta.api.failNext({ code, httpStatus: 400 });
      const { isAcked, retryIn } = await deliver(meta.env, first.job);
      expect(isAcked).toBe(false);
      expect(retryIn).toBeGreaterThanOrEqual(PAUSE_SECONDS);
      expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'whatsapp_stopped', error_code: code }));
      expect((await deliver(meta.env, second.job)).retryIn).toBeGreaterThan(PAUSE_SECONDS - 10);
      expect(meta.api.calls).toHaveLength(1);
      await env.DB.exec('update whatsapp_pauses set until = 0');
      await deliver(meta.env, first.job, { attempts: 2 });
      await deliver(meta.env, second.job, { attempts: 2 });
      expect(meta.api.accepted).toHaveLength(2);
    });
  }

  test('makes a dead letter of a message whose reset code would expire while sending is paused', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone, { ageSeconds: 250 });
    meta.api.failNext({ code: 190, httpStatus: 401 });
    expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    expect(meta.deadLetters).toEqual([job]);
  });

  test('immediately sends a reset code in English if Meta does not have the template in Swahili', async () => {
    const meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'reset_in_english' });
    const { job } = await issueCode((await newPerson()).phone, { language: 'sw' });
    expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.accepted.map(({ language }) => language)).toEqual(['en']);
    expect(await readMessage(job.requestId)).toMatchObject({ status: 'accepted', language: 'en' });
    expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'whatsapp_template_missing' }));
  });

  test('postpones a message and raises an alarm if Meta has neither a Swahili nor an English template', async () => {
    const meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'not_made_yet' });
    const { job } = await issueCode((await newPerson()).phone, { language: 'sw' });
    expect((await deliver(meta.env, job)).retryIn).toBeGreaterThanOrEqual(PAUSE_SECONDS);
    expect(meta.api.calls.map(({ errorCode }) => errorCode)).toEqual([132001, 132001]);
    expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'whatsapp_stopped', error_code: 132001 }));
  });

  test('does not send a reset code that is expired, replaced or used', async () => {
    const meta = standInForMeta();
    const expired = await issueCode((await newPerson()).phone, { ageSeconds: 300 });
    const { phone } = await newPerson();
    const replaced = await issueCode(phone);
    const used = await issueCode(phone);
    await env.DB.prepare('update reset_codes set used_at = 1 where request_id = ?').bind(used.job.requestId).run();
    for (const { job } of [expired, replaced, used]) {
      expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    }
    expect(meta.api.calls).toEqual([]);
    expect(meta.deadLetters).toEqual([]);
  });

  test('sends nothing to a phone number without an account', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode('+255799999999');
    expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.calls).toEqual([]);
  });

  test('records a dead letter once, even if it is delivered several times, and marks its message as failed', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    meta.api.failNext({ code: 131000, httpStatus: 500 });
    await deliver(meta.env, job);
    for (const attempts of [1, 2])
      expect(await deliver(meta.env, job, { attempts, queue: DEAD_QUEUE })).toEqual({ isAcked: true, retryIn: null });
    const { results } = await env.DB.prepare('select kind from whatsapp_dead_letters where id = ?')
      .bind(job.requestId)
      .all();
    expect(results).toEqual([{ kind: 'reset_code' }]);
    expect(await readMessage(job.requestId)).toMatchObject({ status: 'failed', error_code: 131000 });
  });

  test('adds a row to whatsapp_dead_letters for each job that arrives in the dead-letter queue', async () => {
    const id = crypto.randomUUID();
    await env.WHATSAPP_DEAD_QUEUE.send({ kind: 'reset_code', requestId: id, language: 'sw' });
    await vi.waitFor(
      async () => {
        const row = await env.DB.prepare('select id from whatsapp_dead_letters where id = ?').bind(id).first();
        expect(row).toEqual({ id });
      },
      { timeout: 15_000, interval: 250 },
    );
  });

  function decision(recipientId: string): WhatsappJob {
    const messageId = crypto.randomUUID();
    return {
      kind: 'community_decision',
      messageId,
      recipientId,
      communityName: 'Chuo',
      outcome: 'approved',
      language: 'sw',
    };
  }

  test('sends the decision on a new community once, with the community’s name and the outcome', async () => {
    const meta = standInForMeta({ WHATSAPP_DECISION_TEMPLATE: 'community_decision' });
    const { id, phone } = await newReachable();
    const job = decision(id);
    await deliver(meta.env, job);
    await deliver(meta.env, job, { attempts: 2 });
    expect(meta.api.accepted).toEqual([
      { to: phone, template: 'community_decision', language: 'sw', body: ['Chuo', 'imeidhinishwa'], button: null },
    ]);
  });

  test('sends no decision on a new community if no template for decisions is configured', async () => {
    const meta = standInForMeta();
    expect(await deliver(meta.env, decision((await newReachable()).id))).toEqual({ isAcked: true, retryIn: null });
    expect(meta.api.calls).toEqual([]);
  });

  test('drops a message about the decision on a new community if the message is over a day old', async () => {
    const meta = standInForMeta({ WHATSAPP_DECISION_TEMPLATE: 'community_decision' });
    const timestamp = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await deliver(meta.env, decision((await newReachable()).id), { timestamp });
    expect(meta.api.calls).toEqual([]);
  });

  test('in local development shows a reset code in the developer’s list of messages', async () => {
    const { phone } = await newPerson();
    await call('POST', '/api/auth/request-password-reset', { whatsapp_number: phone }, { language: 'sw' });
    await vi.waitFor(
      async () => {
        const answer = await call('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(phone)}`);
        expect(await answer.json()).toEqual([
          {
            to: phone,
            kind: 'reset_code',
            language: 'sw',
            code: expect.stringMatching(/^\d{6}$/),
            created_at: expect.any(String),
          },
        ]);
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  /** The database of a consumer that dies after this many round trips: later calls get no response. */
  function dyingAfter(trips: number): D1Database {
    return afterTrips(trips, () => new Promise(() => {}));
  }

  function failingAfter(trips: number): D1Database {
    return afterTrips(trips, () => Promise.reject(new Error('D1_ERROR: Network connection lost.')));
  }

  function afterTrips(trips: number, answer: () => Promise<never>): D1Database {
    let left = trips;
    const intercept = (session: D1DatabaseSession) => ({
      prepare: (query: string) => (left > 0 ? session.prepare(query) : deadStatement(answer)),
      batch: (statements: D1PreparedStatement[]) => (left-- > 0 ? session.batch(statements) : answer()),
    });
    return { withSession: (...args: []) => intercept((env as Env).DB.withSession(...args)) } as unknown as D1Database;
  }

  function deadStatement(answer: () => Promise<never>): D1PreparedStatement {
    const statement = { bind: () => statement, run: answer, all: answer, raw: answer, first: answer };
    return statement as unknown as D1PreparedStatement;
  }
});

describe('late dead letters', () => {
  beforeEach(captureLogs);
  afterEach(() => vi.unstubAllGlobals());

  test('a dead letter that arrives after Meta has accepted its message is recorded, and does not change the message', async () => {
    const meta = standInForMeta();
    const { job } = await issueCode((await newPerson()).phone);
    await deliver(meta.env, job);
    const accepted = await readMessage(job.requestId);
    expect(accepted).toMatchObject({ status: 'accepted' });
    expect(await deliver(meta.env, job, { queue: DEAD_QUEUE })).toEqual({ isAcked: true, retryIn: null });
    expect(await readMessage(job.requestId)).toEqual(accepted);
    const letter = await env.DB.prepare('select kind from whatsapp_dead_letters where id = ?')
      .bind(job.requestId)
      .first();
    expect(letter).toEqual({ kind: 'reset_code' });
  });

  test('the dead letter of one message does not affect other messages', async () => {
    const meta = standInForMeta();
    const [dead, waiting] = [await issueCode((await newPerson()).phone), await issueCode((await newPerson()).phone)];
    meta.api.failNext({ code: 131000, httpStatus: 500 }, { code: 131000, httpStatus: 500 });
    await deliver(meta.env, dead.job);
    await deliver(meta.env, waiting.job);
    await deliver(meta.env, dead.job, { queue: DEAD_QUEUE });
    expect(await readMessage(dead.job.requestId)).toMatchObject({ status: 'failed' });
    expect(await readMessage(waiting.job.requestId)).toMatchObject({ status: 'waiting' });
  });
});
