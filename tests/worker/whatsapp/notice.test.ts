import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LocalWhatsappMessage, NoticeSettings } from '#contract/channels.ts';
import { call, newPerson, type Person } from '#tests/worker/support/api.ts';
import {
  DEAD_QUEUE,
  deliver,
  issueCode,
  readMessage,
  SETTLED,
  standInForMeta,
} from '#tests/worker/support/messages.ts';
import {
  newReachable,
  quietNow,
  tellMatch,
  WAYS_TO_END,
  type WaysToEnd,
  want,
  whatsappJob,
} from '#tests/worker/support/notices.ts';
import { bring, newMessage } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { endOfDay } from '#worker/limits/limits.ts';

describe('notices by WhatsApp', () => {
  const QUEUE = 'patikana-notice-whatsapp';
  const SET_UP = { WHATSAPP_APP_SECRET: 'the-app-secret', WHATSAPP_MATCH_TEMPLATE: 'match_notice' };

  let logs: ReturnType<typeof captureLogs>;
  let meta: ReturnType<typeof standInForMeta>;

  beforeEach(async () => {
    logs = captureLogs();
    meta = standInForMeta(SET_UP);
    await env.DB.exec('delete from whatsapp_pauses');
    await env.DB.exec('delete from whatsapp_recipients');
    await env.DB.exec("delete from rate_counters where subject like 'whatsapp_recipients:%'");
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function bring(job: unknown, options: { attempts?: number; timestamp?: Date } = {}, bindings = meta.env) {
    return deliver(bindings, job, { queue: QUEUE, ...options });
  }

  test.each(['en', 'sw'] as const)(
    'a match notice is sent with the template in the language %s, and contains the title of the recipient’s own post',
    async (language) => {
      const person = await newReachable(language);
      const id = await tellMatch(person, 'Nimepoteza   simu\u00a0yangu 0712345678');
      expect(await bring(whatsappJob(person, [id], { language }))).toEqual(SETTLED);
      expect(meta.api.accepted).toEqual([
        { to: person.phone, template: 'match_notice', language, body: ['Nimepoteza simu yangu •••'], button: null },
      ]);
      expect(await readMessage(id)).toMatchObject({ status: 'accepted', wamid: expect.stringContaining('wamid.') });
    },
  );

  test.each([
    ['en', '7 notices that wait for you'],
    ['sw', 'arifa 7 zinazokusubiri'],
  ] as const)(
    'several waiting notices are sent as one message in the language %s, and the message says how many notices wait',
    async (language, text) => {
      const person = await newReachable(language);
      const ids = [await tellMatch(person), await tellMatch(person)];
      await bring(whatsappJob(person, ids, { language, waiting: 7 }));
      expect(meta.api.accepted.map(({ body }) => body)).toEqual([[text]]);
    },
  );

  test('a notice is sent with the English template if Meta does not have the template in Swahili', async () => {
    meta = standInForMeta({ ...SET_UP, WHATSAPP_MATCH_TEMPLATE: 'match_in_english' });
    const person = await newReachable();
    expect(await bring(whatsappJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
    expect(meta.api.accepted.map(({ language }) => language)).toEqual(['en']);
  });

  test('a WhatsApp notice job that the queue delivers twice sends one message', async () => {
    const person = await newReachable();
    const job = whatsappJob(person, [await tellMatch(person)]);
    await Promise.all(Array.from({ length: 4 }, () => bring(job)));
    await bring(job, { attempts: 2 });
    expect(meta.api.calls).toHaveLength(1);
  });

  const OVER: WaysToEnd = [
    ...WAYS_TO_END,
    ['belongs to a person who switched WhatsApp off', (person) => want(person, { whatsapp: false })],
    [
      'belongs to a person whose number lost its proof',
      ({ id }) => env.DB.prepare('update phone_numbers set proven_at = null where user_id = ?').bind(id).run(),
    ],
  ];

  test.each(OVER)(
    'a queued notice is not sent if it is no longer needed or allowed: the notice %s',
    async (_what, change) => {
      const person = await newReachable();
      const id = await tellMatch(person);
      await change(person, id);
      expect(await bring(whatsappJob(person, [id]))).toEqual(SETTLED);
      expect(meta.api.calls).toEqual([]);
      expect(meta.deadLetters).toEqual([]);
    },
  );

  test.each([
    ['without the secret that verifies incoming STOP messages', { WHATSAPP_APP_SECRET: '' }],
    ['without a template', { WHATSAPP_MATCH_TEMPLATE: '' }],
  ])('no notice is sent by WhatsApp if the app is set up %s', async (_what, vars) => {
    meta = standInForMeta({ ...SET_UP, ...vars });
    const person = await newReachable();
    expect(await bring(whatsappJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
    expect(meta.api.calls).toEqual([]);
  });

  test('in local development a notice appears in the developer’s list of WhatsApp messages', async () => {
    const person = await newReachable();
    await bring(whatsappJob(person, [await tellMatch(person)]), {}, env as never);
    const answer = await call('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(person.phone)}`);
    expect(await answer.json<LocalWhatsappMessage[]>()).toMatchObject([
      { to: person.phone, kind: 'match_notice', language: 'sw', code: null },
    ]);
  });

  test('once notices have used 40% of the daily limit of recipients, further notices wait, and password-reset codes are still sent', async () => {
    meta = standInForMeta({ ...SET_UP, WHATSAPP_DAILY_RECIPIENTS: '5' });
    const people = [await newReachable(), await newReachable(), await newReachable()];
    const jobs = [];
    for (const person of people) jobs.push(whatsappJob(person, [await tellMatch(person)]));
    const outcomes = [];
    for (const job of jobs) outcomes.push(await bring(job));
    expect(outcomes.map(({ isAcked }) => isAcked)).toEqual([true, true, false]);
    expect(logs.error).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'whatsapp_recipients_used_up', kind: 'match_notice' }),
    );
    for (let index = 0; index < 3; index++)
      await deliver(meta.env, (await issueCode((await newReachable()).phone)).job);
    expect(meta.api.accepted.map(({ template }) => template).sort()).toEqual([
      ...Array(2).fill('match_notice'),
      ...Array(3).fill('verification_code'),
    ]);
    // The next day has capacity again, but at midnight the recipient of the waiting notice has quiet hours.
    const midnight = endOfDay(Date.now());
    vi.useFakeTimers({ toFake: ['Date'], now: midnight + 60_000 });
    const [, , late] = people;
    if (!late) throw new Error('nobody');
    await want(late, { quiet_from: '21:00', quiet_to: '06:00' });
    const held = await bring(jobs[2], { attempts: 2, timestamp: new Date(midnight - 3_600_000) });
    expect(held).toEqual({ isAcked: false, retryIn: 6 * 3600 - 60 });
    vi.setSystemTime(midnight + 6 * 3_600_000);
    expect(await bring(jobs[2], { attempts: 3, timestamp: new Date(midnight - 3_600_000) })).toEqual(SETTLED);
    expect(meta.api.accepted.at(-1)?.to).toBe(late.phone);
  });

  test('a notice due in quiet hours waits until the quiet hours end', async () => {
    const person = await newReachable();
    const job = whatsappJob(person, [await tellMatch(person)]);
    await want(person, quietNow());
    const { isAcked, retryIn } = await bring(job);
    expect([isAcked, meta.api.calls.length]).toEqual([false, 0]);
    expect(retryIn).toBeGreaterThan(118 * 60);
  });

  // After error 132001 (no template in this language) the Worker tries the English template, so Meta must refuse twice.
  test.each([
    [132001, 2],
    [132015, 1],
    [132016, 1],
  ])(
    'Meta’s error %i about the notices’ template stops WhatsApp notices, and password-reset codes are still sent',
    async (code, tries) => {
      const person = await newReachable();
      const job = whatsappJob(person, [await tellMatch(person)]);
      meta.api.failNext(...Array.from({ length: tries }, () => ({ code, httpStatus: 400 })));
      expect((await bring(job)).retryIn).toBeGreaterThanOrEqual(60);
      const other = await newReachable();
      const calls = meta.api.calls.length;
      expect((await bring(whatsappJob(other, [await tellMatch(other)]))).isAcked).toBe(false);
      expect(meta.api.calls).toHaveLength(calls);
      await deliver(meta.env, (await issueCode((await newPerson()).phone)).job);
      expect(meta.api.accepted.map(({ template }) => template)).toEqual(['verification_code']);
    },
  );

  test('if Meta refuses a notice because of the spam limit of the app’s phone number, verification codes are not sent either', async () => {
    const person = await newReachable();
    meta.api.failNext({ code: 131048, httpStatus: 400 });
    await bring(whatsappJob(person, [await tellMatch(person)]));
    expect((await deliver(meta.env, (await issueCode((await newPerson()).phone)).job)).isAcked).toBe(false);
  });

  test('a notice that Meta refuses with a permanent error becomes a dead letter', async () => {
    const person = await newReachable();
    const job = whatsappJob(person, [await tellMatch(person)]);
    meta.api.failNext({ code: 131026, httpStatus: 400 });
    expect(await bring(job)).toEqual(SETTLED);
    expect(meta.deadLetters).toEqual([job]);
    await deliver(meta.env, job, { queue: DEAD_QUEUE });
    expect(await readMessage(job.messageId)).toMatchObject({ status: 'failed', error_code: 131026 });
  });

  test('no log of a WhatsApp notice contains a phone number or a post’s title', async () => {
    const person = await newReachable();
    meta.api.failNext({ code: 131000, httpStatus: 500 });
    const job = whatsappJob(person, [await tellMatch(person, 'Siri ya ndani')]);
    await bring(job);
    await bring(job, { attempts: 2 });
    const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
    expect(lines).toContain('whatsapp_accepted');
    for (const secret of [person.phone, 'Siri ya ndani', person.email]) expect(lines).not.toContain(secret);
  });
});

describe('incoming STOP and START messages', () => {
  beforeEach(() => void captureLogs());
  afterEach(() => vi.unstubAllGlobals());

  async function wantsWhatsapp(person: Person): Promise<boolean> {
    const answer = await call('GET', '/api/me/notice-settings', undefined, person);
    return (await answer.json<NoticeSettings>()).whatsapp;
  }

  /** Returns the kinds of answers to the person, oldest first, once there are `count` answers. */
  function answersTo({ phone }: Person, count: number): Promise<string[]> {
    return vi.waitFor(
      async () => {
        const answer = await call('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(phone)}`);
        const messages = await answer.json<LocalWhatsappMessage[]>();
        expect(messages.length).toBeGreaterThanOrEqual(count);
        for (const { code } of messages) expect(code).toBeNull();
        return messages.map(({ kind }) => kind).reverse();
      },
      { timeout: 10_000, interval: 50 },
    );
  }

  /**
   * Checks that the person has received answers of these kinds and no others. First waits for the answer to a later
   * message from somebody else, so that no answer to the person is still in transit.
   */
  async function expectQuiet(person: Person, kinds: string[]): Promise<void> {
    const last = await newReachable();
    await send(last, 'STOP');
    await answersTo(last, 1);
    expect(await answersTo(person, kinds.length)).toEqual(kinds);
  }

  async function send({ phone }: Person, text: string, forwarded?: boolean): Promise<void> {
    const answer = await call('POST', '/api/dev/whatsapp-incoming', {
      from: phone,
      text,
      ...(forwarded && { forwarded }),
    });
    expect(answer.status).toBe(204);
  }

  const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago);

  test.each(['STOP', 'stop', ' Acha\n', 'ACHA', 'aChA'])(
    'the message %j switches WhatsApp notices off, and is answered',
    async (word) => {
      const person = await newReachable();
      await send(person, word);
      expect(await wantsWhatsapp(person)).toBe(false);
      expect(await answersTo(person, 1)).toEqual(['stopped']);
    },
  );

  test.each(['START', 'anza'])(
    'the message %j switches WhatsApp notices on again, and leaves the other notice settings unchanged',
    async (word) => {
      const person = await newReachable();
      await want(person, { whatsapp: false, email: false, quiet_from: '20:00', quiet_to: '07:00' });
      await send(person, word);
      const answer = await call('GET', '/api/me/notice-settings', undefined, person);
      expect(await answer.json()).toEqual({
        push: true,
        whatsapp: true,
        email: false,
        quiet_from: '20:00',
        quiet_to: '07:00',
      });
      expect(await answersTo(person, 1)).toEqual(['started']);
    },
  );

  test('a STOP or START that switches WhatsApp notices off or on is answered once, even if the person repeats the message', async () => {
    const person = await newReachable();
    for (const word of ['STOP', 'ACHA', 'START', 'ANZA', 'STOP']) await send(person, word);
    await expectQuiet(person, ['stopped', 'started', 'stopped']);
  });

  test('a person’s first STOP is answered even if they had already switched WhatsApp off in the app', async () => {
    const person = await newReachable();
    await want(person, { whatsapp: false });
    await send(person, 'STOP');
    await send(person, 'STOP');
    await expectQuiet(person, ['stopped']);
  });

  test('a second STOP also takes effect if the person has switched WhatsApp on in the app after the first STOP', async () => {
    const person = await newReachable();
    await send(person, 'STOP');
    await want(person);
    await send(person, 'STOP');
    expect(await wantsWhatsapp(person)).toBe(false);
    await expectQuiet(person, ['stopped', 'stopped']);
  });

  test.each(['STOP it', 'please stop', 'STOP STOP', 'stopp', 'STOP.', '', 'Simu imepatikana? ACHA'])(
    'the message %j is ignored as unknown',
    async (text) => {
      const person = await newReachable();
      await send(person, text);
      await expectQuiet(person, []);
      expect(await wantsWhatsapp(person)).toBe(true);
    },
  );

  test('a STOP is ignored if it was forwarded, or if its sender’s phone number is unproven or missing', async () => {
    const [person, unproven] = [await newReachable(), await newPerson()];
    await send(person, 'STOP', true);
    await send(unproven, 'STOP');
    expect(await bring([newMessage(person.phone, 'STOP', { from: undefined })])).toBe(200);
    expect(await bring([newMessage(person.phone, 'STOP', { context: { forwarded: true } })])).toBe(200);
    await expectQuiet(person, []);
    await expectQuiet(unproven, []);
    expect(await wantsWhatsapp(person)).toBe(true);
  });

  test('a STOP takes effect only if Meta’s request has a valid signature, and only once if Meta repeats the request', async () => {
    const person = await newReachable();
    const message = newMessage(person.phone, 'STOP');
    expect(await bring([message], { secret: 'another-secret' })).toBe(403);
    expect(await wantsWhatsapp(person)).toBe(true);
    expect(await bring([message])).toBe(200);
    expect(await wantsWhatsapp(person)).toBe(false);
    await want(person);
    // If our response was lost, Meta delivers the message again, for days.
    for (let times = 0; times < 3; times++) expect(await bring([message, message])).toBe(200);
    expect(await wantsWhatsapp(person)).toBe(true);
    await expectQuiet(person, ['stopped']);
  });

  test('if a STOP and a START arrive in the wrong order, the one that was sent later takes effect', async () => {
    const person = await newReachable();
    await bring([newMessage(person.phone, 'STOP', { timestamp: seconds(10) })]);
    await bring([newMessage(person.phone, 'START', { timestamp: seconds(60) })]);
    expect(await wantsWhatsapp(person)).toBe(false);
    await expectQuiet(person, ['stopped']);
  });

  test('if a STOP and a START are sent within one second, the one that arrives last takes effect', async () => {
    const person = await newReachable();
    const timestamp = seconds(5);
    for (const word of ['STOP', 'START']) await bring([newMessage(person.phone, word, { timestamp })]);
    expect(await wantsWhatsapp(person)).toBe(true);
    await expectQuiet(person, ['stopped', 'started']);
  });

  test('a STOP from the phone number of a deleted account changes nothing', async () => {
    const person = await newReachable();
    await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(person.id).run();
    await send(person, 'STOP');
    const row = env.DB.prepare('select whatsapp from notice_settings where user_id = ?').bind(person.id);
    expect(await row.first('whatsapp')).toBe(1);
    await expectQuiet(person, []);
  });

  test('the log records that a STOP was received, without its sender', async () => {
    const logs = captureLogs();
    const person = await newReachable();
    for (const word of ['STOP', 'START', 'hujambo']) await send(person, word);
    const heard = logs.log.mock.calls.filter(([line]) => line.event === 'whatsapp_word_heard');
    const line = { event: 'whatsapp_word_heard', request_id: expect.any(String) };
    expect(heard).toEqual([[{ ...line, kind: 'stopped' }], [{ ...line, kind: 'started' }]]);
    await expectQuiet(person, ['stopped', 'started']);
  });

  test('a STOP dated yesterday takes effect, and a STOP dated last week or tomorrow does not', async () => {
    const person = await newReachable();
    const day = 24 * 60 * 60;
    for (const ago of [8 * day, -day]) await bring([newMessage(person.phone, 'STOP', { timestamp: seconds(ago) })]);
    expect(await wantsWhatsapp(person)).toBe(true);
    await bring([newMessage(person.phone, 'STOP', { timestamp: seconds(day) })]);
    expect(await wantsWhatsapp(person)).toBe(false);
  });

  test.each([
    ['en', 'stopped', 'START'],
    ['sw', 'started', 'ACHA'],
  ] as const)(
    'Patikana’s reply to a STOP or START message does not count towards the daily limit of WhatsApp recipients (language: %s)',
    async (language, kind, word) => {
      const meta = standInForMeta({ WHATSAPP_DAILY_RECIPIENTS: '1' });
      const person = await newReachable();
      await env.DB.exec('delete from whatsapp_recipients');
      const job = { kind, messageId: crypto.randomUUID(), recipientId: person.id, language };
      expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
      expect(meta.api.accepted).toEqual([
        { to: person.phone, template: 'text', language: '', body: [expect.stringContaining(word)], button: null },
      ]);
      expect((await env.DB.prepare('select * from whatsapp_recipients').all()).results).toEqual([]);
    },
  );
});
