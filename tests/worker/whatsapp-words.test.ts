import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NoticeSettings } from '#contract/notice-settings.ts';
import type { LocalWhatsappMessage } from '#contract/whatsapp.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { bring, newMessage } from './support/numbers.ts';
import { newReachable, want } from './support/waiting.ts';
import { deliver, standInForMeta } from './support/whatsapp.ts';

beforeEach(() => void captureLogs());
afterEach(() => vi.unstubAllGlobals());

async function wantsWhatsapp(person: Person): Promise<boolean> {
  const answer = await call('GET', '/api/me/notice-settings', undefined, person);
  return (await answer.json<NoticeSettings>()).whatsapp;
}

/** The kinds of what the person was answered, oldest first, once there are so many. */
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

/** Nothing is under way to the person any more. */
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

test.each(['STOP', 'stop', ' Acha\n', 'ACHA', 'aChA'])('%j switches it off, and is answered', async (word) => {
  const person = await newReachable();
  await send(person, word);
  expect(await wantsWhatsapp(person)).toBe(false);
  expect(await answersTo(person, 1)).toEqual(['stopped']);
});

test.each(['START', 'anza'])('%j switches it on again, and leaves the other settings', async (word) => {
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
});

test('each change is answered once, however often the word is sent', async () => {
  const person = await newReachable();
  for (const word of ['STOP', 'ACHA', 'START', 'ANZA', 'STOP']) await send(person, word);
  await expectQuiet(person, ['stopped', 'started', 'stopped']);
});

test('whoever had it off is answered too, the first time', async () => {
  const person = await newReachable();
  await want(person, { whatsapp: false });
  await send(person, 'STOP');
  await send(person, 'STOP');
  await expectQuiet(person, ['stopped']);
});

test('a STOP counts that comes after it was switched on in the app', async () => {
  const person = await newReachable();
  await send(person, 'STOP');
  await want(person);
  await send(person, 'STOP');
  expect(await wantsWhatsapp(person)).toBe(false);
  await expectQuiet(person, ['stopped', 'stopped']);
});

test.each(['STOP it', 'please stop', 'STOP STOP', 'stopp', 'STOP.', '', 'Simu imepatikana? ACHA'])(
  '%j is no such word',
  async (text) => {
    const person = await newReachable();
    await send(person, text);
    await expectQuiet(person, []);
    expect(await wantsWhatsapp(person)).toBe(true);
  },
);

test('a forwarded one, and one from a number that is not proven or hidden, says nothing', async () => {
  const [person, unproven] = [await newReachable(), await newPerson()];
  await send(person, 'STOP', true);
  await send(unproven, 'STOP');
  expect(await bring([newMessage(person.phone, 'STOP', { from: undefined })])).toBe(200);
  expect(await bring([newMessage(person.phone, 'STOP', { context: { forwarded: true } })])).toBe(200);
  await expectQuiet(person, []);
  await expectQuiet(unproven, []);
  expect(await wantsWhatsapp(person)).toBe(true);
});

test('through Meta it counts when it is signed, and once', async () => {
  const person = await newReachable();
  const message = newMessage(person.phone, 'STOP');
  expect(await bring([message], { secret: 'another-secret' })).toBe(403);
  expect(await wantsWhatsapp(person)).toBe(true);
  expect(await bring([message])).toBe(200);
  expect(await wantsWhatsapp(person)).toBe(false);
  await want(person);
  // Meta brings it again, for days, where our answer was lost.
  for (let times = 0; times < 3; times++) expect(await bring([message, message])).toBe(200);
  expect(await wantsWhatsapp(person)).toBe(true);
  await expectQuiet(person, ['stopped']);
});

test('the later one counts, in whatever order they come', async () => {
  const person = await newReachable();
  await bring([newMessage(person.phone, 'STOP', { timestamp: seconds(10) })]);
  await bring([newMessage(person.phone, 'START', { timestamp: seconds(60) })]);
  expect(await wantsWhatsapp(person)).toBe(false);
  await expectQuiet(person, ['stopped']);
});

test('of two within one second the one that comes last counts', async () => {
  const person = await newReachable();
  const timestamp = seconds(5);
  for (const word of ['STOP', 'START']) await bring([newMessage(person.phone, word, { timestamp })]);
  expect(await wantsWhatsapp(person)).toBe(true);
  await expectQuiet(person, ['stopped', 'started']);
});

test('who has left changes nothing any more', async () => {
  const person = await newReachable();
  await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(person.id).run();
  await send(person, 'STOP');
  const row = env.DB.prepare('select whatsapp from notice_settings where user_id = ?').bind(person.id);
  expect(await row.first('whatsapp')).toBe(1);
  await expectQuiet(person, []);
});

test('that a word was heard is logged, without whose it is', async () => {
  const logs = captureLogs();
  const person = await newReachable();
  for (const word of ['STOP', 'START', 'hujambo']) await send(person, word);
  const heard = logs.log.mock.calls.filter(([line]) => line.event === 'whatsapp_word_heard');
  const line = { event: 'whatsapp_word_heard', request_id: expect.any(String) };
  expect(heard).toEqual([[{ ...line, kind: 'stopped' }], [{ ...line, kind: 'started' }]]);
  await expectQuiet(person, ['stopped', 'started']);
});

test('a STOP of yesterday counts; one of last week, or of tomorrow, does not', async () => {
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
] as const)('the answer in %s is a text, and no recipient of the day', async (language, kind, word) => {
  const meta = standInForMeta({ WHATSAPP_DAILY_RECIPIENTS: '1' });
  const person = await newReachable();
  await env.DB.exec('delete from whatsapp_recipients');
  const job = { kind, messageId: crypto.randomUUID(), recipientId: person.id, language };
  expect(await deliver(meta.env, job)).toEqual({ isAcked: true, retryIn: null });
  expect(meta.api.accepted).toEqual([
    { to: person.phone, template: 'text', language: '', body: [expect.stringContaining(word)], button: null },
  ]);
  expect((await env.DB.prepare('select * from whatsapp_recipients').all()).results).toEqual([]);
});
