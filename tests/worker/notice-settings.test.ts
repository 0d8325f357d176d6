import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/notice-settings.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { switchChannel } from '#worker/reach/index.ts';
import { call, newPerson, ORIGIN, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';

afterEach(() => void vi.unstubAllGlobals());

const PATH = '/api/me/notice-settings';

const read = async (person: Person) => (await call('GET', PATH, undefined, person)).json<NoticeSettings>();
const proveNumber = (person: Person) =>
  env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(person.id).run();

test('who has never said otherwise gets pushes and e-mails, and is not woken', async () => {
  expect(await read(await newPerson())).toEqual({
    push: true,
    whatsapp: false,
    email: true,
    quiet_from: '21:00',
    quiet_to: '06:00',
  });
});

test('what was put is what is read, as often as it is put, and one’s own alone', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await proveNumber(person);
  const settings = { push: false, whatsapp: true, email: false, quiet_from: '22:30', quiet_to: '00:00' };
  const silent = { ...settings, whatsapp: false, quiet_from: null, quiet_to: null };
  for (const each of [settings, silent, silent]) {
    const answer = await call('PUT', PATH, each, person);
    expect([answer.status, await answer.json()]).toEqual([200, each]);
    expect(await read(person)).toEqual(each);
  }
  expect(await read(other)).toEqual(DEFAULT_NOTICE_SETTINGS);
});

test.each<[what: string, change: object, field: string]>([
  ['the same time twice', { quiet_from: '21:00', quiet_to: '21:00' }, 'quiet_to'],
  ['a beginning without an end', { quiet_from: '21:00', quiet_to: null }, 'quiet_to'],
  ['an end without a beginning', { quiet_from: null, quiet_to: '06:00' }, 'quiet_to'],
  ['an hour that is none', { quiet_from: '24:00' }, 'quiet_from'],
  ['a minute that is none', { quiet_to: '06:60' }, 'quiet_to'],
  ['a time without its zero', { quiet_to: '6:00' }, 'quiet_to'],
  ['a number', { quiet_to: 6 }, 'quiet_to'],
  ['four of the five', { push: undefined }, 'push'],
  ['no end at all', { quiet_to: undefined }, 'quiet_to'],
  ['a word for yes', { email: 'ndiyo' }, 'email'],
])('%s is refused', async (_what, change, field) => {
  const person = await newPerson();
  const answer = await call('PUT', PATH, { ...DEFAULT_NOTICE_SETTINGS, ...change }, person);
  const { errors } = await answer.json<ErrorBody>();
  expect([answer.status, errors?.map((error) => error.field)]).toEqual([422, [field]]);
  expect(await read(person)).toEqual(DEFAULT_NOTICE_SETTINGS);
});

test('WhatsApp is for a proven number alone', async () => {
  const person = await newPerson();
  const wanted = { ...DEFAULT_NOTICE_SETTINGS, whatsapp: true };
  const refused = await call('PUT', PATH, wanted, person);
  expect([refused.status, (await refused.json<ErrorBody>()).code]).toEqual([409, 'number_not_proven']);
  expect(await read(person)).toEqual(DEFAULT_NOTICE_SETTINGS);
  await proveNumber(person);
  expect((await call('PUT', PATH, wanted, person)).status).toBe(200);
});

test('a channel that is switched elsewhere leaves the others as they are', async () => {
  const [settled, fresh] = [await newPerson(), await newPerson()];
  const db = openDb(env);
  const own = { push: false, whatsapp: false, email: true, quiet_from: null, quiet_to: null };
  await call('PUT', PATH, own, settled);
  for (const person of [settled, fresh]) await switchChannel(db, sql`${person.id}`, 'email', false);
  expect(await read(settled)).toEqual({ ...own, email: false });
  expect(await read(fresh)).toEqual({ ...DEFAULT_NOTICE_SETTINGS, email: false });
  await switchChannel(db, sql`${fresh.id}`, 'whatsapp', true);
  expect(await read(fresh)).toEqual({ ...DEFAULT_NOTICE_SETTINGS, email: false, whatsapp: true });
});

test('settings are kept though the mailbox cannot be told of them, which is logged', async () => {
  const logs = captureLogs();
  const person = await newPerson();
  const settings = { ...DEFAULT_NOTICE_SETTINGS, push: false };
  const USER_CHANNEL = { getByName: () => ({ reconsider: () => Promise.reject(new TypeError('unreachable')) }) };
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` };
  const request = new Request(`${ORIGIN}${PATH}`, { method: 'PUT', headers, body: JSON.stringify(settings) });
  const ctx = createExecutionContext();
  const answer = await app.fetch(request, { ...env, USER_CHANNEL } as never, ctx);
  await waitOnExecutionContext(ctx);
  expect([answer.status, await read(person)]).toEqual([200, settings]);
  expect(logs.warn).toHaveBeenCalledWith(expect.objectContaining({ event: 'mailbox_unreachable', name: 'TypeError' }));
});
