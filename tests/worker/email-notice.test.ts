import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { MAX_ATTEMPTS } from '#worker/email/binding-errors.ts';
import { call, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { SETTLED } from './support/deliver-job.ts';
import { deliverEmail, listEmails, proveEmail, standInForEmail } from './support/emails.ts';
import {
  emailJob,
  newReachable,
  quietNow,
  tellClaim,
  tellMatch,
  WAYS_TO_END,
  type WaysToEnd,
  want,
} from './support/waiting.ts';

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

test('a match is e-mailed to the proven address, in the person’s language, with a link that stops e-mails', async () => {
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

test('no e-mail contains a phone number, not even one from the person’s own title', async () => {
  const person = await newReader('en');
  const id = await tellMatch(person, 'Lost phone, call 0712 345 678 or me@example.com');
  await deliverEmail(platform.env, emailJob(person, [id], { language: 'en' }));
  expect(platform.sent[0]?.subject).toBe('A post on Patikana matches yours');
  expect(platform.sent[0]?.text).toContain('Lost phone, call ••• or •••');
  expect(JSON.stringify(platform.sent)).not.toMatch(/0712 ?345|345 ?678/);
});

test('notices held together go in one e-mail, which says how many there are', async () => {
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

test('news of a claim is e-mailed too, with a link to it', async () => {
  const person = await newReader();
  const { claimId, noticeId } = await tellClaim(person, 'Begi jekundu');
  await deliverEmail(platform.env, emailJob(person, [noticeId]));
  expect(platform.sent).toMatchObject([
    { subject: 'Kuna habari mpya kuhusu dai kwenye Patikana', text: expect.stringContaining('“Begi jekundu”') },
  ]);
  expect(platform.sent[0]?.text).toContain(`https://patikana.test/claims/${claimId}\n`);
});

test('the local transport lists the e-mail and sends nothing', async () => {
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
  ['is of a person who wants no e-mail', (person) => want(person, { email: false })],
  [
    'is of a person whose address is not proven',
    ({ id }) => env.DB.prepare('update users set email_proven_at = null where id = ?').bind(id).run(),
  ],
  [
    'is about a post that was found',
    ({ id }) => env.DB.prepare('update posts set is_found = 1 where author_id = ?').bind(id).run(),
  ],
];

test.each(OVER)('a notice that %s since it was queued is not sent', async (_what, change) => {
  const person = await newReader();
  const id = await tellMatch(person);
  await change(person, id);
  expect(await deliverEmail(platform.env, emailJob(person, [id]))).toEqual(SETTLED);
  expect(platform.sent).toEqual([]);
  expect(platform.deadLetters).toEqual([]);
});

test('an e-mail that comes to be sent in quiet hours waits for their end', async () => {
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

test('a job that arrives twice sends one e-mail, even if both arrive at once', async () => {
  const person = await newReader();
  const job = emailJob(person, [await tellMatch(person)]);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => deliverEmail(platform.env, job)));
  for (const { isAcked, retryIn } of outcomes) expect(isAcked || retryIn === 60).toBe(true);
  expect(await deliverEmail(platform.env, job, { attempts: 2 })).toEqual(SETTLED);
  expect(platform.sent).toHaveLength(1);
});

test('an e-mail whose sender died is sent once more, with References that identify it', async () => {
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
])('after %s the e-mail is retried with growing delays, and arrives', async (code) => {
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
  '%s raises an alarm and is retried',
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
  ['a fault of ours', 'E_HEADER_NOT_ALLOWED', 1],
  ['a fault of ours', 'E_VALIDATION_ERROR', 1],
  ['the last attempt', 'E_RATE_LIMIT_EXCEEDED', MAX_ATTEMPTS],
])('%s (%s) ends as a dead letter, and is not sent again', async (_what, code, attempts) => {
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
});

test('an address that has bounced is no longer proven or written to until it is proven again', async () => {
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

test('no log contains an address, a title or the platform’s message about them', async () => {
  const person = await newReader();
  for (const code of ['E_RATE_LIMIT_EXCEEDED', 'E_VALIDATION_ERROR', 'E_RECIPIENT_SUPPRESSED']) {
    platform.failNext(code);
    await deliverEmail(platform.env, emailJob(person, [await tellMatch(person, 'Siri ya ndani')]));
  }
  const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
  expect(lines).toContain('email_refused');
  for (const secret of [person.email, person.phone, 'Siri ya ndani', 'refused: ']) expect(lines).not.toContain(secret);
});

test('where no e-mail is sent a job is dropped', async () => {
  const person = await newReader();
  const { env: bindings } = standInForEmail({ EMAIL_FROM: undefined });
  expect(await deliverEmail(bindings, emailJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
  expect(logs.log).toHaveBeenCalledWith(expect.objectContaining({ event: 'email_dropped', reason: 'not_set_up' }));
});
