import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import { composeReport } from '#tests/support/graph-api.ts';
import { ask, newPerson, ORIGIN } from '#tests/worker/support/api.ts';
import {
  DEAD_QUEUE,
  deliver,
  issueCode,
  readMessage,
  SETTLED,
  standInForMeta,
} from '#tests/worker/support/messages.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { newReachable, tellMatch, whatsappJob } from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

describe('sending by WhatsApp', () => {
  const SET_UP = {
    WHATSAPP_APP_SECRET: 'the-app-secret',
    WHATSAPP_MATCH_TEMPLATE: 'match_notice',
    WHATSAPP_DECISION_TEMPLATE: 'community_decision',
  };

  let logs: ReturnType<typeof captureLogs>;
  let meta: ReturnType<typeof standInForMeta>;

  beforeEach(async () => {
    logs = captureLogs();
    meta = standInForMeta(SET_UP);
    await env.DB.exec('delete from whatsapp_pauses');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  type Letter = { id: string };

  function decision({ id: recipientId }: Letter): WhatsappJob {
    const messageId = crypto.randomUUID();
    const what = { communityName: 'Chuo', outcome: 'approved', language: 'sw' } as const;
    return { kind: 'community_decision', messageId, recipientId, ...what };
  }

  function answer({ id: recipientId }: Letter, kind: 'stopped' | 'started' = 'stopped'): WhatsappJob {
    return { kind, messageId: crypto.randomUUID(), recipientId, language: 'sw' };
  }

  function dropped(): unknown[] {
    return logs.log.mock.calls
      .map(([line]) => line)
      .filter(({ event }) => event === 'whatsapp_dropped')
      .map(({ kind, reason }) => [kind, reason]);
  }

  test.each([
    ['match_notice', 36],
    ['community_decision', 24],
    ['stopped', 23],
    ['started', 23],
  ] as const)('a message of the kind “%s” is not sent if it has waited %i hours or longer', async (kind, hours) => {
    const person = await newReachable();
    const newJob = async () => {
      if (kind === 'match_notice') return whatsappJob(person, [await tellMatch(person)]);
      return kind === 'community_decision' ? decision(person) : answer(person, kind);
    };
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const late = await deliver(meta.env, await newJob(), { timestamp: new Date(now - hours * HOUR_MS) });
    expect([late, meta.api.calls.length, dropped()]).toEqual([SETTLED, 0, [[kind, 'expired']]]);
    expect(await deliver(meta.env, await newJob(), { timestamp: new Date(now - hours * HOUR_MS + 5_000) })).toEqual(
      SETTLED,
    );
    expect(meta.api.accepted).toHaveLength(1);
    expect(meta.deadLetters).toEqual([]);
  });

  test('if a message is not sent, the log gives the reason, such as a newer reset code or a missing phone number', async () => {
    const person = await newReachable();
    const old = await issueCode(person.phone);
    await issueCode(person.phone);
    await deliver(meta.env, old.job);
    const without = await newPerson();
    await env.DB.prepare('delete from phone_numbers where user_id = ?').bind(without.id).run();
    await deliver(meta.env, decision(without));
    const twice = decision(person);
    for (const attempts of [1, 2]) await deliver(meta.env, twice, { attempts });
    await deliver(meta.env, whatsappJob(person, [crypto.randomUUID()]));
    expect(dropped()).toEqual([
      ['reset_code', 'replaced'],
      ['community_decision', 'unknown_recipient'],
      ['community_decision', 'taken_before'],
      ['match_notice', 'ended'],
    ]);
    expect(meta.api.calls).toHaveLength(1);
    expect(logs.log).toHaveBeenCalledWith({
      event: 'whatsapp_accepted',
      job_id: expect.any(String),
      kind: 'community_decision',
      attempt: 1,
    });
  });

  test('the reply to a person’s message STOP or START is sent only to a proven phone number of an existing account', async () => {
    const [unproven, gone] = [await newPerson(), await newReachable()];
    await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(gone.id).run();
    for (const person of [unproven, gone]) expect(await deliver(meta.env, answer(person))).toEqual(SETTLED);
    expect(meta.api.calls).toEqual([]);
  });

  test('sending a notice is tried at most fifty times, and sending a decision on a community at most nine times', async () => {
    const person = await newReachable();
    const [notice, word] = [whatsappJob(person, [await tellMatch(person)]), decision(person)];
    const fault = { code: 131000, httpStatus: 500 };
    for (const [job, attempts, isAcked] of [
      [notice, 49, false],
      [word, 8, false],
      [notice, 50, true],
      [word, 9, true],
    ] as const) {
      meta.api.failNext(fault);
      expect((await deliver(meta.env, job, { attempts })).isAcked).toBe(isAcked);
    }
    expect(meta.deadLetters).toEqual([notice, word]);
    expect(logs.warn).toHaveBeenCalledWith({
      event: 'whatsapp_refused',
      job_id: expect.any(String),
      kind: 'match_notice',
      attempt: 49,
      error_code: 131000,
      http_status: 500,
      verdict: 'retry',
    });
  });

  test('if Meta’s refusal of a message pauses sending, an error log line states the message’s type and the length of the pause', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const { job } = await issueCode((await newPerson()).phone);
    meta.api.failNext({ code: 190, httpStatus: 401 });
    const { retryIn } = await deliver(meta.env, job, { attempts: 2 });
    expect(retryIn).toBeLessThanOrEqual(65);
    const entry = { kind: 'reset_code', attempt: 2, error_code: 190, http_status: 401, pause_seconds: 60 };
    expect(logs.error).toHaveBeenCalledWith({ event: 'whatsapp_stopped', job_id: expect.any(String), ...entry });
    vi.setSystemTime(now + 59_999);
    expect((await deliver(meta.env, job, { attempts: 3 })).isAcked).toBe(false);
    vi.setSystemTime(now + 60_000);
    expect(await deliver(meta.env, job, { attempts: 4 })).toEqual(SETTLED);
    expect(meta.api.accepted).toHaveLength(1);
  });

  test('only a Swahili message falls back to the English template if its own template is missing; the fallback raises an alarm', async () => {
    meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'not_made_yet' });
    const { job } = await issueCode((await newPerson()).phone, { language: 'en' });
    await deliver(meta.env, job);
    expect(meta.api.calls).toHaveLength(1);
    meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'reset_in_english' });
    await env.DB.exec('delete from whatsapp_pauses');
    await deliver(meta.env, (await issueCode((await newPerson()).phone, { language: 'sw' })).job);
    const missing = logs.error.mock.calls.filter(([line]) => line.event === 'whatsapp_template_missing');
    const entry = { event: 'whatsapp_template_missing', job_id: expect.any(String) };
    expect(missing).toEqual([[{ ...entry, kind: 'reset_code', language: 'sw' }]]);
  });

  test('a request to Meta times out after ten seconds, or earlier if the message would expire', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    await deliver(meta.env, (await issueCode((await newPerson()).phone)).job);
    expect(timeouts.mock.calls).toEqual([[10_000]]);
  });

  test('a message whose data cannot be read because the database fails is retried after at most a minute', async () => {
    const { job } = await issueCode((await newPerson()).phone);
    const DB = passCalls(env.DB, () => Promise.reject(new TypeError('D1_ERROR: no such thing')));
    for (const [attempts, retryIn] of [
      [5, 32],
      [6, 60],
      [9, 60],
    ] as const)
      expect(await deliver({ ...meta.env, DB } as Env, job, { attempts })).toEqual({ isAcked: false, retryIn });
    const failed = { event: 'whatsapp_consumer_failed', job_id: expect.any(String), name: expect.any(String) };
    expect(logs.error.mock.calls.at(-1)).toEqual([failed]);
    expect(meta.api.calls).toEqual([]);
  });

  test('a message that was sent but could not be recorded raises an alarm', async () => {
    const { job } = await issueCode((await newPerson()).phone);
    const DB = passCalls(env.DB, (act) => {
      if (meta.api.calls.length > 0) throw new TypeError('D1_ERROR: no such thing');
      return act();
    });
    expect(await deliver({ ...meta.env, DB } as Env, job)).toEqual(SETTLED);
    const entry = { event: 'whatsapp_acceptance_not_recorded', job_id: expect.any(String), name: expect.any(String) };
    expect(logs.error.mock.calls).toEqual([[entry]]);
  });

  test('if Meta refuses a message and recording the refusal fails at first, the message is still retried later', async () => {
    const { job } = await issueCode((await newPerson()).phone);
    meta.api.failNext({ code: 131000, httpStatus: 500 });
    let failures = 0;
    const DB = passCalls(env.DB, (act) => {
      if (meta.api.calls.length > 0 && ++failures <= 3) throw new TypeError('D1_ERROR: no such thing');
      return act();
    });
    expect((await deliver({ ...meta.env, DB } as Env, job)).isAcked).toBe(false);
    expect(await readMessage(job.requestId)).toMatchObject({ status: 'waiting', error_code: 131000 });
    expect(await deliver(meta.env, job, { attempts: 2 })).toEqual(SETTLED);
    expect(meta.api.accepted).toHaveLength(1);
  });

  test('a message that becomes a dead letter because the Worker died while sending is marked as failed', async () => {
    const { job } = await issueCode((await newPerson()).phone);
    await deliver(meta.env, job);
    await env.DB.prepare("update whatsapp_messages set status = 'sending' where id = ?").bind(job.requestId).run();
    await deliver(meta.env, job, { queue: DEAD_QUEUE });
    expect(await readMessage(job.requestId)).toMatchObject({ status: 'failed' });
    const entry = { event: 'whatsapp_dead_letter', job_id: expect.any(String), id: job.requestId, kind: 'reset_code' };
    expect(logs.error).toHaveBeenCalledWith(entry);
  });

  test('a request for a reset code gets 503 and raises an alarm if the queue refuses the code', async () => {
    const WHATSAPP_QUEUE = { send: () => Promise.reject(new TypeError('Too Many Requests')) };
    const { phone } = await newPerson();
    const refused = await ask({ WHATSAPP_QUEUE }, '/api/auth/request-password-reset', { whatsapp_number: phone });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'code_not_queued', name: 'TypeError' }));
  });
});

describe('the webhook for Meta', () => {
  const APP_SECRET = 'the-app-secret-of-the-stand-in';
  const VERIFY_TOKEN = 'the-verify-token';
  const PATH = '/api/whatsapp/webhook';

  afterEach(() => vi.unstubAllGlobals());

  async function ask(
    path: string,
    init: RequestInit = {},
    vars: Record<string, string | undefined> = {},
  ): Promise<Response> {
    const ctx = createExecutionContext();
    const bindings = { ...env, WHATSAPP_APP_SECRET: APP_SECRET, WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN, ...vars };
    const answer = await app.fetch(new Request(`${ORIGIN}${path}`, init), bindings, ctx);
    await waitOnExecutionContext(ctx);
    return answer;
  }

  function report(body: string, signature: string): Promise<Response> {
    return ask(PATH, { method: 'POST', headers: { 'X-Hub-Signature-256': signature }, body });
  }

  async function reportStatuses(...statuses: Parameters<typeof composeReport>[1]): Promise<void> {
    const { body, signature } = composeReport(APP_SECRET, statuses);
    const answer = await report(body, signature);
    expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
  }

  function sign(body: string): string {
    return `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
  }

  function readDelivery(wamid: string) {
    return env.DB.prepare('select status, error_code from whatsapp_deliveries where wamid = ?').bind(wamid).first();
  }

  function newWamid(): string {
    return `wamid.${crypto.randomUUID()}`;
  }

  test('answers Meta’s verification request only if the request has the right token', async () => {
    const query = (token: string, mode = 'subscribe') =>
      `${PATH}?hub.mode=${mode}&hub.challenge=1158201444&hub.verify_token=${token}`;
    const answer = await ask(query(VERIFY_TOKEN));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('1158201444');
    const without = await ask(`${PATH}?hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}`);
    expect([without.status, await without.text()]).toEqual([200, '']);
    expect((await ask(query('another'))).status).toBe(403);
    expect((await ask(query(''))).status).toBe(403);
    expect((await ask(query(VERIFY_TOKEN, 'unsubscribe'))).status).toBe(403);
    expect((await ask(PATH)).status).toBe(403);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['missing', { WHATSAPP_APP_SECRET: undefined, WHATSAPP_VERIFY_TOKEN: undefined }],
    ['empty', { WHATSAPP_APP_SECRET: '', WHATSAPP_VERIFY_TOKEN: '' }],
  ])('gives 404 if the server has no secrets for Meta (the variables are %s)', async (_what, vars) => {
    const { body, signature } = composeReport('', []);
    const headers = { 'X-Hub-Signature-256': signature };
    expect((await ask(`${PATH}?hub.mode=subscribe&hub.verify_token=`, {}, vars)).status).toBe(404);
    expect((await ask(PATH, { method: 'POST', headers, body }, vars)).status).toBe(404);
  });

  test('refuses a delivery report without a valid signature of its body, and records nothing', async () => {
    const wamid = newWamid();
    const { body, signature } = composeReport(APP_SECRET, [{ id: wamid, status: 'sent' }]);
    const other = composeReport('another-secret', [{ id: wamid, status: 'sent' }]);
    const rewritten = JSON.stringify(JSON.parse(body));
    expect(rewritten).not.toBe(body);
    for (const [sent, header] of [
      [body, ''],
      [body, 'sha256=00'],
      [body, other.signature],
      [body, signature.replace('sha256', 'sha1')],
      [rewritten, signature],
    ] as const) {
      const answer = await report(sent, header);
      expect(answer.status).toBe(403);
      expect((await answer.json<ErrorBody>()).code).toBe('forbidden');
    }
    expect(await readDelivery(wamid)).toBeNull();
  });

  test('records a message’s progress from its delivery reports, in whatever order and however often they arrive', async () => {
    const wamid = newWamid();
    await reportStatuses({ id: wamid, status: 'delivered' });
    for (const status of ['sent', 'delivered', 'sent', 'failed']) await reportStatuses({ id: wamid, status });
    expect(await readDelivery(wamid)).toEqual({ status: 'delivered', error_code: null });
    await reportStatuses({ id: wamid, status: 'read' });
    expect(await readDelivery(wamid)).toEqual({ status: 'read', error_code: null });
  });

  test('records a failed delivery with its error code, and raises an alarm if the error will affect other messages too', async () => {
    const logs = captureLogs();
    const [unreachable, unpaid] = [newWamid(), newWamid()];
    await reportStatuses(
      { id: unreachable, status: 'failed', errors: [{ code: 131026 }] },
      { id: unpaid, status: 'failed', errors: [{ code: 131042 }] },
    );
    expect(await readDelivery(unreachable)).toEqual({ status: 'failed', error_code: 131026 });
    const line = { event: 'whatsapp_not_delivered', request_id: expect.any(String) };
    expect(logs.warn).toHaveBeenCalledWith({ ...line, error_code: 131026 });
    expect(logs.error).toHaveBeenCalledWith({ ...line, error_code: 131042 });
  });

  test('records all delivery reports that arrive in one request', async () => {
    const wamids = Array.from({ length: 400 }, newWamid);
    const { body, signature } = composeReport(
      APP_SECRET,
      wamids.map((id) => ({ id, status: 'sent' })),
    );
    // The body is larger than other routes accept.
    expect(body.length).toBeGreaterThan(16 * 1024);
    expect((await report(body, signature)).status).toBe(200);
    const { results } = await env.DB.prepare(
      'select wamid from whatsapp_deliveries where wamid in (select value from json_each(?))',
    )
      .bind(JSON.stringify(wamids))
      .all();
    expect(results).toHaveLength(400);
  });

  test('gives 200 for a body without a delivery report, so that Meta does not send the body again', async () => {
    const body = JSON.stringify({
      entry: [{ changes: [{ field: 'messages', value: { messages: [{ from: '255' }] } }] }],
    });
    expect((await report(body, sign(body))).status).toBe(200);
  });

  test('refuses a signed request whose body is not JSON', async () => {
    const answer = await report('sio JSON', sign('sio JSON'));
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([400, 'malformed_json']);
  });

  test('accepts requests of at most three megabytes', async () => {
    const most = ' '.repeat(3 * 1024 * 1024);
    expect((await report(most, '')).status).toBe(403);
    expect((await report(`${most} `, '')).status).toBe(413);
  });
});
