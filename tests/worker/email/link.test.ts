import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { ask, call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import {
  askForLink,
  confirm,
  deliverEmail,
  linkIn,
  listEmails,
  proveEmail,
  SETTLED,
  standInForEmail,
  tokenIn,
  waitForEmails,
} from '#tests/worker/support/messages.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { emailJob, newReachable, tellMatch } from '#tests/worker/support/notices.ts';
import { newNumber, newRegistration, register } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { clearExpired } from '#worker/retention.ts';

describe('links that prove an e-mail address', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function readMe(person: Person): Promise<Me> {
    return (await call('GET', '/api/me', undefined, person)).json<Me>();
  }

  async function codeOf(answer: Response): Promise<string> {
    return answer.ok ? String(answer.status) : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
  }

  /** The number of links for an e-mail address, ignoring case. */
  function countLinksTo(email: string) {
    return env.DB.prepare('select count(*) as n from email_links where lower(email) = ?').bind(email).first('n');
  }

  let addresses = 0;
  const newAddress = () => `anwani${++addresses}.${crypto.randomUUID().slice(0, 8)}@example.com`;

  /** Requests a link to confirm the e-mail address. @returns the token in the link's e-mail. */
  async function bringLink(person: Person, email: string): Promise<string> {
    expect(await codeOf(await askForLink(person, email))).toBe('200');
    const [newest] = await waitForEmails(email);
    if (!newest) throw new Error('no e-mail');
    return tokenIn(newest);
  }

  test.each([
    ['en', 'Confirm your email address'],
    ['sw', 'Thibitisha anwani yako ya barua pepe'],
  ])(
    'a registration in the language %s sends an e-mail in that language, and the e-mail’s link proves the address once',
    async (language, subject) => {
      const registration = newRegistration(newNumber());
      expect((await call('POST', '/api/users', registration, { language })).status).toBe(201);
      const emails = await waitForEmails(registration.email);
      expect(emails).toEqual([
        {
          to: registration.email,
          kind: 'confirm_email',
          subject,
          text: expect.stringContaining(`${ORIGIN}/confirm-email#`),
          headers: {
            References: expect.stringMatching(/^<[\w-]+@patikana\.test>$/),
            'Auto-Submitted': 'auto-generated',
          },
          language,
          created_at: expect.any(String),
        },
      ]);
      const [email] = emails;
      if (!email) throw new Error('no e-mail');
      expect(linkIn(email).search).toBe('');
      expect(await codeOf(await confirm(tokenIn(email)))).toBe('204');
      const session = await (await signIn(registration.email, registration.password)).json<{ access_token: string }>();
      const me = await call('GET', '/api/me', undefined, { token: session.access_token });
      expect(await me.json()).toMatchObject({ is_email_proven: true, is_email_available: true });
      expect(await codeOf(await confirm(tokenIn(email)))).toBe('400 invalid_code');
    },
  );

  test('if ten requests open a link concurrently, only one of them proves the e-mail address, and the address stays proven', async () => {
    const person = await newPerson();
    const token = await bringLink(person, person.email);
    const codes = await Promise.all(Array.from({ length: 10 }, async () => codeOf(await confirm(token))));
    expect(codes.filter((code) => code === '204')).toHaveLength(1);
    expect(codes.filter((code) => code === '400 invalid_code')).toHaveLength(9);
    expect((await readMe(person)).is_email_proven).toBe(true);
  });

  test('an account keeps its old e-mail address, also for signing in, until the link sent to the new address is opened', async () => {
    const person = await newPerson();
    const email = newAddress();
    const token = await bringLink(person, email.toUpperCase());
    expect(await readMe(person)).toMatchObject({ email: person.email, is_email_proven: false });
    expect((await signIn(email, person.password)).status).toBe(401);
    expect(await codeOf(await confirm(token))).toBe('204');
    expect(await readMe(person)).toMatchObject({ email: email.toUpperCase(), is_email_proven: true });
    expect((await signIn(email, person.password)).status).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(401);
  });

  test('a new link invalidates the account’s previous link, even if the links prove different e-mail addresses', async () => {
    const person = await newPerson();
    const [first, second] = [newAddress(), newAddress()];
    const former = await bringLink(person, first);
    const token = await bringLink(person, second);
    expect(await codeOf(await confirm(former))).toBe('400 invalid_code');
    expect((await readMe(person)).email).toBe(person.email);
    expect(await codeOf(await confirm(token))).toBe('204');
  });

  test.each([
    [24 * 60, '400 invalid_code'],
    [24 * 60 - 1, '204'],
  ])(
    'opening a link that is %i minutes old returns %s (a link works for less than 24 hours)',
    async (minutes, expected) => {
      const person = await newPerson();
      const token = await bringLink(person, person.email);
      await env.DB.prepare('update email_links set created_at = ? where user_id = ?')
        .bind(Date.now() - minutes * 60_000, person.id)
        .run();
      expect(await codeOf(await confirm(token))).toBe(expected);
    },
  );

  test('a link of a deleted account proves nothing', async () => {
    const person = await newPerson();
    const token = await bringLink(person, person.email);
    await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(person.id).run();
    expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
  });

  test('links that no longer work are deleted from the database', async () => {
    const person = await newPerson();
    await bringLink(person, person.email);
    await clearExpired(openDb(env), Date.now() + 9 * 24 * 60 * 60 * 1000);
    for (const table of ['email_links where user_id', 'email_messages where recipient_id'])
      expect(await env.DB.prepare(`select 1 from ${table} = ?`).bind(person.id).first()).toBeNull();
  });

  test('a request to send a link to another person’s e-mail address gets the same response as for an unused address, but sends no e-mail', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    expect(await codeOf(await askForLink(person, other.email.toUpperCase()))).toBe('200');
    expect(await env.DB.prepare('select 1 from email_links where user_id = ?').bind(person.id).first()).toBeNull();
    expect(await listEmails(other.email)).toEqual([]);
  });

  test('a link does not take over an e-mail address that another person has registered since the link was sent', async () => {
    const person = await newPerson();
    const email = newAddress();
    const token = await bringLink(person, email);
    const taker = await newPerson({ email: email.toUpperCase() });
    expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
    expect((await readMe(taker)).email).toBe(email.toUpperCase());
    expect(await readMe(person)).toMatchObject({ email: person.email, is_email_proven: false });
  });

  test.each([
    ['guessed', 'x'.repeat(43), '400 invalid_code'],
    ['very long', 'x'.repeat(10_000), '400 invalid_code'],
    ['empty', '', '422 validation_failed'],
    ['a number', 7, '422 validation_failed'],
    ['null', null, '422 validation_failed'],
  ])('a link’s token that is %s proves no e-mail address', async (_what, token, expected) => {
    expect(await codeOf(await confirm(token))).toBe(expected);
  });

  test('the id of a link, or the stored digest of its token, is refused as a token', async () => {
    const person = await newPerson();
    await bringLink(person, person.email);
    const row = await env.DB.prepare('select id, token_digest from email_links where user_id = ?')
      .bind(person.id)
      .first<{ id: string; token_digest: string }>();
    for (const token of [row?.id, row?.token_digest])
      expect(await codeOf(await confirm(token))).toBe('400 invalid_code');
  });

  test('changing the e-mail address needs the current password; after ten wrong passwords the right one is refused too', async () => {
    const person = await newPerson();
    expect(await codeOf(await askForLink(person, newAddress(), 'si hili nenosiri'))).toBe('403 wrong_password');
    for (let index = 0; index < 9; index++) await askForLink(person, newAddress(), 'si hili nenosiri');
    expect(await codeOf(await askForLink(person, newAddress()))).toBe('429 too_many_requests');
  });

  test.each(['', 'sio anwani', 'a@b', `${'x'.repeat(250)}@example.com`])(
    'the value %j is refused as an e-mail address',
    async (email) => {
      expect(await codeOf(await askForLink(await newPerson(), email))).toBe('422 validation_failed');
    },
  );

  test('an account can request ten links an hour, and one e-mail address gets at most three an hour from all accounts together', async () => {
    const person = await newPerson();
    for (let index = 0; index < 10; index++) expect((await askForLink(person, newAddress())).status).toBe(200);
    const eleventh = newAddress();
    expect(await codeOf(await askForLink(person, eleventh))).toBe('429 too_many_requests');
    expect(await countLinksTo(eleventh)).toBe(0);
    const victim = newAddress();
    const answers = [];
    for (const address of [victim, victim, victim.toUpperCase(), victim, victim])
      answers.push(await askForLink(await newPerson(), address));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(Number(answers[4]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await waitForEmails(victim, 3)).toHaveLength(3);
    expect(await register({ ...newRegistration(newNumber()), email: victim })).toMatchObject({ status: 201 });
    expect(await countLinksTo(victim)).toBe(3);
  });

  test('no log contains an e-mail address, a link or its token', async () => {
    const logs = captureLogs();
    const person = await newPerson();
    const email = newAddress();
    const token = await bringLink(person, email);
    await confirm(token);
    await confirm('a-wrong-token');
    const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
    expect(lines).toContain('email_accepted');
    for (const secret of [email, token, person.email, 'a-wrong-token']) expect(lines).not.toContain(secret);
  });

  test('if the server is not set up to send e-mails, no link is created, and /api/me returns is_email_available as false', async () => {
    const person = await newPerson();
    const deployed: object = {
      WHATSAPP_TRANSPORT: 'cloud-api',
      WHATSAPP_PHONE_NUMBER_ID: '1',
      WHATSAPP_ACCESS_TOKEN: 'x',
    };
    const headers = { Authorization: `Bearer ${person.token}` };
    const answer = await ask(
      deployed,
      '/api/me/email',
      { email: person.email, current_password: person.password },
      headers,
    );
    expect(await answer.json()).toEqual({ success: true });
    expect(await env.DB.prepare('select 1 from email_links where user_id = ?').bind(person.id).first()).toBeNull();
    const me = await app.fetch(new Request(`${ORIGIN}/api/me`, { headers }), { ...env, ...deployed });
    expect(await me.json()).toMatchObject({ is_email_available: false, is_email_proven: false });
    const dev = await app.fetch(new Request(`${ORIGIN}/api/dev/emails`), { ...env, ...deployed });
    expect(dev.status).toBe(404);
  });

  test('the local list of sent e-mails (/api/dev/emails) refuses an invalid e-mail address with 422', async () => {
    expect((await call('GET', '/api/dev/emails?to=hapana')).status).toBe(422);
  });
});

describe('sending e-mails', () => {
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

  /** Inserts a confirmation link into D1 as the route does, but sends no job to the queue. */
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

  test('a sent e-mail is recorded in the database without its content, and logged with its kind and how many attempts it took', async () => {
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
    expect(await readEmail(job.messageId)).toEqual({
      status: 'accepted',
      attempts: 2,
      error_code: null,
      content: null,
    });
    const accepted = { event: 'email_accepted', job_id: expect.any(String), kind: 'match_notice', attempt: 2 };
    expect(logs.log).toHaveBeenCalledWith(accepted);
    await deliverEmail(platform.env, job, { attempts: 3 });
    expect(logs.log).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'email_dropped', kind: 'notice', reason: 'settled_before' }),
    );
  });

  test('if Cloudflare refuses an e-mail address that has bounced, only this address becomes unproven, without a dead letter', async () => {
    const [person, other] = [await newReader(), await newReader()];
    const job = emailJob(person, [await tellMatch(person)]);
    platform.failNext('E_RECIPIENT_SUPPRESSED');
    expect(await deliverEmail(platform.env, job)).toEqual(SETTLED);
    expect(platform.deadLetters).toEqual([]);
    expect(await readEmail(job.messageId)).toMatchObject({ status: 'failed', error_code: 'E_RECIPIENT_SUPPRESSED' });
    expect([await isProven(person), await isProven(other)]).toEqual([false, true]);
  });

  test('an e-mail job in the dead-letter queue marks its e-mail as failed with the reason, unless the e-mail was already sent', async () => {
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

  test('while the database fails, an e-mail job returns to the queue with growing delays of at most an hour', async () => {
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

  test('an e-mail with a link is sent only if the link is neither replaced nor expired and the account still exists', async () => {
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

  test('if the e-mail queue refuses the job, a request for a link is answered with 503, and an error is logged', async () => {
    const person = await newPerson();
    const EMAIL_QUEUE = { send: () => Promise.reject(new TypeError('Too Many Requests')) };
    const body = { email: person.email, current_password: person.password };
    const answer = await ask({ EMAIL_QUEUE }, '/api/me/email', body, { Authorization: `Bearer ${person.token}` });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'email_not_queued', name: 'TypeError' }));
  });
});
