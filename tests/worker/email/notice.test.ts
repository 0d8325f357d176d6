import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import type { NoticeSettings } from '#contract/channels.ts';
import en from '#locales/en/outside/email.json';
import sw from '#locales/sw/outside/email.json';
import { call, newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import {
  confirm,
  deliverEmail,
  listEmails,
  proveEmail,
  SETTLED,
  standInForEmail,
} from '#tests/worker/support/messages.ts';
import {
  emailJob,
  newReachable,
  quietNow,
  tellClaim,
  tellMatch,
  WAYS_TO_END,
  type WaysToEnd,
  want,
} from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { MAX_ATTEMPTS } from '#worker/email/send-email.ts';
import { toUnsubscribing } from '#worker/email/unsubscribe.ts';
import { readConfig } from '#worker/env.ts';

describe('notices by e-mail', () => {
  let logs: ReturnType<typeof captureLogs>;
  let platform: ReturnType<typeof standInForEmail>;

  beforeEach(() => {
    logs = captureLogs();
    platform = standInForEmail();
  });
  afterEach(() => vi.unstubAllGlobals());

  async function newReader(language?: string): Promise<Person> {
    const person = await newReachable(language);
    await proveEmail(person);
    return person;
  }

  async function isProven(person: Person): Promise<boolean> {
    return (await (await call('GET', '/api/me', undefined, person)).json<Me>()).is_email_proven;
  }

  test('a match notice is sent to the proven e-mail address, in the person’s language, with an unsubscribe link', async () => {
    const person = await newReader();
    const id = await tellMatch(person, 'Nimepoteza simu <b>nyeusi</b> & kava');
    expect(await deliverEmail(platform.env, emailJob(person, [id]))).toEqual(SETTLED);
    const [email] = platform.sent;
    expect(platform.sent).toHaveLength(1);
    expect(email).toEqual({
      to: person.email,
      from: 'habari@patikana.test',
      subject: 'Kuna tangazo kwenye Patikana linalofanana na lako',
      text: expect.stringContaining('“Nimepoteza simu <b>nyeusi</b> & kava”'),
      html: expect.stringContaining('“Nimepoteza simu &lt;b&gt;nyeusi&lt;/b&gt; &amp; kava”'),
      headers: {
        References: `<${id}@patikana.test>`,
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': expect.stringMatching(
          new RegExp(`^<https://patikana\\.test/api/email/unsubscribe/${person.id}\\.[\\w-]{43}>$`),
        ),
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    expect(email?.text).toContain('https://patikana.test/notices');
    expect(email?.html).toContain('<a href="https://patikana.test/notices">');
    expect(email?.html).toContain('<html lang="sw">');
  });

  test('no e-mail contains a phone number, not even one from the title of the recipient’s own post', async () => {
    const person = await newReader('en');
    const id = await tellMatch(person, 'Lost phone, call 0712 345 678 or me@example.com');
    await deliverEmail(platform.env, emailJob(person, [id], { language: 'en' }));
    expect(platform.sent[0]?.subject).toBe('A post on Patikana matches yours');
    expect(platform.sent[0]?.text).toContain('Lost phone, call ••• or •••');
    expect(JSON.stringify(platform.sent)).not.toMatch(/0712 ?345|345 ?678/);
  });

  test('several waiting notices are sent in one e-mail, which says how many notices wait', async () => {
    const person = await newReader('en');
    const ids = [await tellMatch(person, 'Lost my black phone'), await tellMatch(person), await tellMatch(person)];
    await call('POST', '/api/notices/read', { ids: ids.slice(1, 2) }, person);
    await deliverEmail(platform.env, emailJob(person, ids, { language: 'en', waiting: 12 }));
    expect(platform.sent).toMatchObject([
      {
        subject: '11 notices wait for you on Patikana',
        text: expect.stringContaining('11 notices wait for you, the latest one about “Lost my black phone”'),
      },
    ]);
  });

  test('a claim notice is sent by e-mail, with a link to the claim', async () => {
    const person = await newReader();
    const { claimId, noticeId } = await tellClaim(person, 'Begi jekundu');
    await deliverEmail(platform.env, emailJob(person, [noticeId]));
    expect(platform.sent).toMatchObject([
      { subject: 'Kuna habari mpya kuhusu dai kwenye Patikana', text: expect.stringContaining('“Begi jekundu”') },
    ]);
    expect(platform.sent[0]?.text).toContain(`https://patikana.test/claims/${claimId}\n`);
  });

  test('if WHATSAPP_TRANSPORT is “local”, an e-mail appears only in the list at /api/dev/emails, and is not sent', async () => {
    const person = await newReader();
    const id = await tellMatch(person);
    await deliverEmail(
      { ...env, EMAIL: platform.env.EMAIL, EMAIL_FROM: 'habari@patikana.test' } as never,
      emailJob(person, [id]),
    );
    expect(platform.sent).toEqual([]);
    expect(await listEmails(person.email)).toMatchObject([{ kind: 'match_notice', to: person.email, language: 'sw' }]);
  });

  const OVER: WaysToEnd = [
    ...WAYS_TO_END,
    ['belongs to a person who switched e-mails off', (person) => want(person, { email: false })],
    [
      'belongs to a person whose address lost its proof',
      ({ id }) => env.DB.prepare('update users set email_proven_at = null where id = ?').bind(id).run(),
    ],
    [
      'is about a post that was returned',
      ({ id }) => env.DB.prepare('update posts set is_found = 1 where author_id = ?').bind(id).run(),
    ],
  ];

  test.each(OVER)('a notice that %s after its e-mail was queued is not e-mailed', async (_what, change) => {
    const person = await newReader();
    const id = await tellMatch(person);
    await change(person, id);
    expect(await deliverEmail(platform.env, emailJob(person, [id]))).toEqual(SETTLED);
    expect(platform.sent).toEqual([]);
    expect(platform.deadLetters).toEqual([]);
  });

  test('an e-mail due in quiet hours waits until the quiet hours end', async () => {
    const person = await newReader();
    const id = await tellMatch(person);
    await want(person, quietNow());
    const { isAcked, retryIn } = await deliverEmail(platform.env, emailJob(person, [id]));
    expect(isAcked).toBe(false);
    expect(retryIn).toBeGreaterThan(118 * 60);
    expect(retryIn).toBeLessThanOrEqual(120 * 60);
    await want(person);
    expect(await deliverEmail(platform.env, emailJob(person, [id]), { attempts: 2 })).toEqual(SETTLED);
    expect(platform.sent).toHaveLength(1);
  });

  test('an e-mail job that the queue delivers twice sends one e-mail, even if both deliveries come at the same time', async () => {
    const person = await newReader();
    const job = emailJob(person, [await tellMatch(person)]);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => deliverEmail(platform.env, job)));
    for (const { isAcked, retryIn } of outcomes) expect(isAcked || retryIn === 60).toBe(true);
    expect(await deliverEmail(platform.env, job, { attempts: 2 })).toEqual(SETTLED);
    expect(platform.sent).toHaveLength(1);
  });

  test('if a Worker dies while sending an e-mail, the e-mail is retried with a References header that identifies the notice', async () => {
    const person = await newReader();
    const id = await tellMatch(person);
    const job = emailJob(person, [id]);
    const dying = { ...platform.env, EMAIL: { send: () => new Promise(() => {}) } } as never;
    void deliverEmail(dying, job);
    const status = () =>
      env.DB.prepare('select status from email_messages where id = ?').bind(id).first<string>('status');
    await vi.waitFor(async () => expect(await status()).toBe('sending'));
    expect(await deliverEmail(platform.env, job, { attempts: 2 })).toEqual({ isAcked: false, retryIn: 60 });
    await env.DB.prepare('update email_messages set updated_at = updated_at - 60000 where id = ?').bind(id).run();
    expect(await deliverEmail(platform.env, job, { attempts: 3 })).toEqual(SETTLED);
    expect(platform.sent.map(({ headers }) => headers?.References)).toEqual([`<${id}@patikana.test>`]);
    expect(await status()).toBe('accepted');
  });

  test.each([
    ['E_RATE_LIMIT_EXCEEDED'],
    ['E_INTERNAL_SERVER_ERROR'],
    ['E_DELIVERY_FAILED'],
    ['E_WHATEVER_IS_NEW'],
    [null],
  ])('an e-mail that fails with the error code %s is retried with growing delays, and arrives', async (code) => {
    const person = await newReader();
    const job = emailJob(person, [await tellMatch(person)]);
    const delays: (number | null)[] = [];
    for (const attempts of [1, 2, 8]) {
      platform.failNext(code);
      delays.push((await deliverEmail(platform.env, job, { attempts })).retryIn);
    }
    expect(delays).toEqual([30, 60, 3600]);
    expect(await deliverEmail(platform.env, job, { attempts: 9 })).toEqual(SETTLED);
    expect(platform.sent).toHaveLength(1);
    expect(await isProven(person)).toBe(true);
  });

  test.each([['E_SENDER_NOT_VERIFIED'], ['E_SENDER_DOMAIN_NOT_AVAILABLE'], ['E_DAILY_LIMIT_EXCEEDED']])(
    'the e-mail service’s error %s is logged as an alarm, and the e-mail is retried',
    async (code) => {
      const person = await newReader();
      platform.failNext(code);
      const { isAcked } = await deliverEmail(platform.env, emailJob(person, [await tellMatch(person)]));
      expect(isAcked).toBe(false);
      expect(logs.error).toHaveBeenCalledWith(
        expect.objectContaining({ event: 'email_refused', error_code: code, verdict: 'alarm' }),
      );
    },
  );

  test.each([
    ['a permanent error', 'E_HEADER_NOT_ALLOWED', 1],
    ['a permanent error', 'E_VALIDATION_ERROR', 1],
    ['a rate limit at the last attempt', 'E_RATE_LIMIT_EXCEEDED', MAX_ATTEMPTS],
  ])(
    'an e-mail that fails with %s (error code %s) goes to the dead-letter queue, and is not sent again',
    async (_what, code, attempts) => {
      const person = await newReader();
      const job = emailJob(person, [await tellMatch(person)]);
      platform.failNext(code);
      expect(await deliverEmail(platform.env, job, { attempts })).toEqual(SETTLED);
      expect(platform.deadLetters).toEqual([job]);
      expect(await deliverEmail(platform.env, job, { isDead: true })).toEqual(SETTLED);
      expect(logs.error).toHaveBeenCalledWith(
        expect.objectContaining({ event: 'email_dead_letter', id: job.messageId, kind: 'notice' }),
      );
      await deliverEmail(platform.env, job, { attempts: 2 });
      expect(platform.sent).toEqual([]);
      expect(await isProven(person)).toBe(true);
    },
  );

  test('an e-mail address that has bounced gets no e-mails until it is proven again', async () => {
    const person = await newReader();
    const job = emailJob(person, [await tellMatch(person)]);
    platform.failNext('E_RECIPIENT_SUPPRESSED');
    expect(await deliverEmail(platform.env, job)).toEqual(SETTLED);
    expect(await isProven(person)).toBe(false);
    const next = emailJob(person, [await tellMatch(person)]);
    await deliverEmail(platform.env, next);
    expect(platform.sent).toEqual([]);
    await proveEmail(person);
    await deliverEmail(platform.env, emailJob(person, [await tellMatch(person)]));
    expect(platform.sent).toHaveLength(1);
  });

  test('no log contains an e-mail address, a post’s title or the text of the e-mail service’s error', async () => {
    const person = await newReader();
    for (const code of ['E_RATE_LIMIT_EXCEEDED', 'E_VALIDATION_ERROR', 'E_RECIPIENT_SUPPRESSED']) {
      platform.failNext(code);
      await deliverEmail(platform.env, emailJob(person, [await tellMatch(person, 'Siri ya ndani')]));
    }
    const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
    expect(lines).toContain('email_refused');
    for (const secret of [person.email, person.phone, 'Siri ya ndani', 'refused: '])
      expect(lines).not.toContain(secret);
  });

  test('an e-mail job is dropped if e-mail is not set up on the server', async () => {
    const person = await newReader();
    const { env: bindings } = standInForEmail({ EMAIL_FROM: undefined });
    expect(await deliverEmail(bindings, emailJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
    expect(logs.log).toHaveBeenCalledWith(expect.objectContaining({ event: 'email_dropped', reason: 'not_set_up' }));
  });
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
/** The body of the request with which a mail program unsubscribes a person in one click (RFC 8058 §3.1). */
const ONE_CLICK = 'List-Unsubscribe=One-Click';

function ask(method: string, address: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = method === 'POST' ? { body: ONE_CLICK } : {};
  return exports.default.fetch(new Request(address, { method, headers: { ...FORM, ...headers }, ...body }));
}

function addressFor(person: { id: string; email: string }): string {
  const value = toUnsubscribing(readConfig(env).keys.code, { userId: person.id, email: person.email });
  return `${ORIGIN}/api/email/unsubscribe/${value}`;
}

async function wantsEmail(person: Person): Promise<boolean> {
  const answer = await call('GET', '/api/me/notice-settings', undefined, person);
  return (await answer.json<NoticeSettings>()).email;
}

test('one click on “unsubscribe” in a mail program switches off e-mails, and no other channel', async () => {
  const person = await newReachable();
  await proveEmail(person);
  await deliverEmail(env, emailJob(person, [await tellMatch(person)]));
  const [email] = await listEmails(person.email);
  const address = /^<(.+)>$/.exec(email?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
  expect(email?.text).toContain(address);
  const before = await (await call('GET', '/api/me/notice-settings', undefined, person)).json<NoticeSettings>();
  for (let times = 0; times < 2; times++) expect((await ask('POST', address)).status).toBe(200);
  const after = await (await call('GET', '/api/me/notice-settings', undefined, person)).json<NoticeSettings>();
  expect(after).toEqual({ ...before, email: false });
});

test.each([
  ['en', 'Stop these emails', 'no longer sends you emails', 'This link no longer works.'],
  ['sw', 'Zizuie barua pepe hizi', 'haitakuandikia tena', 'Kiungo hiki hakifanyi kazi tena.'],
] as const)(
  'in the language %s, the unsubscribe link opens a page that asks for confirmation and has no scripts',
  async (language, button, done, invalid) => {
    const person = await newPerson();
    const texts = { en, sw }[language].unsubscribing;
    const headers = { 'Accept-Language': language };
    const page = await ask('GET', addressFor(person), headers);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(page.headers.get('Content-Security-Policy')).toContain("form-action 'self'");
    const text = await page.text();
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('Content-Security-Policy')).toContain(`style-src 'sha256-${hash}'`);
    expect(text).toContain(`<form method="post"><button>${button}</button></form>`);
    expect(text).not.toContain(person.email);
    for (const part of [
      `<html lang="${language}">`,
      '<meta name="viewport" content="width=device-width">',
      '<meta name="robots" content="noindex">',
      `<title>${texts.title}</title>`,
      `<main><h1>${texts.title}</h1><p>${texts.question}</p>`,
    ])
      expect(text).toContain(part);
    expect(await wantsEmail(person)).toBe(true);
    for (const method of ['GET', 'POST']) {
      const refusal = await (await ask(method, `${addressFor(person)}x`, headers)).text();
      expect(refusal).toContain(invalid);
      expect(refusal).toContain(`<a href="/account">${texts.account}</a>`);
    }
    expect(await wantsEmail(person)).toBe(true);
    const closing = await (await ask('POST', addressFor(person), headers)).text();
    expect(closing).toContain(done);
    expect(closing).toContain(`<p role="status">${texts.done}</p><p><a href="/account">${texts.account}</a></p>`);
    expect(await wantsEmail(person)).toBe(false);
  },
);

test('an unsubscribe link gives 404 if its value is guessed, has another person’s signature, or is for a former e-mail address', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const [, mac = ''] = addressFor(other).split('.').slice(-2);
  for (const value of ['', 'x', person.id, `${person.id}.`, `${person.id}.${mac}`, `${person.id}.${'x'.repeat(43)}`]) {
    for (const method of ['GET', 'POST'])
      expect([value, (await ask(method, `${ORIGIN}/api/email/unsubscribe/${value}`)).status]).toEqual([value, 404]);
  }
  const former = addressFor(person);
  await env.DB.prepare("update users set email = 'mpya' || email, email_key = 'mpya' || email_key where id = ?")
    .bind(person.id)
    .run();
  expect((await ask('POST', former)).status).toBe(404);
  expect(await wantsEmail(person)).toBe(true);
});

test('the value in an unsubscribe link cannot be used to prove an e-mail address', async () => {
  const person = await newPerson();
  expect((await confirm(addressFor(person).split('/').at(-1))).status).toBe(400);
});
