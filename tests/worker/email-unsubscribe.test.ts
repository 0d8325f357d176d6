import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { NoticeSettings } from '#contract/notice-settings.ts';
import en from '#locales/en/outside/email.json';
import sw from '#locales/sw/outside/email.json';
import { toUnsubscribing } from '#worker/email/unsubscribe-rules.ts';
import { readConfig } from '#worker/env.ts';
import { call, newPerson, ORIGIN, type Person } from './support/api.ts';
import { confirm, deliverEmail, listEmails, proveEmail } from './support/emails.ts';
import { emailJob, newReachable, tellMatch } from './support/waiting.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
/** As RFC 8058 §3.1 has it. */
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

test('one click of a mail program, by what stands in the e-mail, stops them and nothing else', async () => {
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
] as const)('opening it in %s asks first, in a page that needs no script', async (language, button, done, invalid) => {
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
});

test('a value that is guessed, of somebody else, or of a former address, does nothing', async () => {
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

test('what stops e-mails confirms none', async () => {
  const person = await newPerson();
  expect((await confirm(addressFor(person).split('/').at(-1))).status).toBe(400);
});
