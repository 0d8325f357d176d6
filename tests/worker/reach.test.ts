import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { readReach } from '#worker/reach/index.ts';
import { captureLogs } from './support/capture-logs.ts';
import { deliverEmail, proveEmail, standInForEmail } from './support/emails.ts';
import { savePost } from './support/saved-posts.ts';
import { newListener, notify } from './support/telling.ts';
import { emailJob, newReachable, quietNow, tellMatch, want, whatsappJob } from './support/waiting.ts';
import { deliver, standInForMeta } from './support/whatsapp.ts';

beforeEach(() => void captureLogs());
afterEach(async () => {
  vi.unstubAllGlobals();
  await env.DB.exec('delete from switched_off');
});

function reachOf({ id: userId }: { id: string }, noticeIds: string[] = [], vars: Record<string, unknown> = {}) {
  return readReach(openDb(env), readConfig({ ...env, ...vars } as Env), { userId, noticeIds });
}

test('of a person it is known what they have and want, and when they sleep', async () => {
  const person = await newListener({ push: false, quiet_from: '22:30', quiet_to: '06:05' });
  expect(await reachOf(person)).toEqual({
    language: 'en',
    subscriptionIds: [`browser-of-${person.id}`],
    has: { whatsapp: true, email: true },
    wants: { push: false, whatsapp: true, email: true },
    quietHours: { from: 22 * 60 + 30, to: 6 * 60 + 5 },
    unread: new Set(),
    hasLostPhone: false,
  });
  const awake = await newListener({ whatsapp: false, email: false, quiet_from: null, quiet_to: null });
  expect(await reachOf(awake)).toMatchObject({
    wants: { push: true, whatsapp: false, email: false },
    quietHours: null,
  });
  expect(await reachOf({ id: 'hakuna' })).toBeNull();
});

const DEPLOYED = { WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'x' };

test('what is not set up, not proven or switched off reaches nobody', async () => {
  const person = await newListener();
  const has = async (vars = {}) => (await reachOf(person, [], vars))?.has;
  expect((await reachOf(person, [], { VAPID_PRIVATE_KEY: '' }))?.subscriptionIds).toEqual([]);
  expect(await has(DEPLOYED)).toEqual({ whatsapp: false, email: false });
  expect(await has({ ...DEPLOYED, EMAIL_FROM: 'habari@patikana.test' })).toEqual({ whatsapp: false, email: true });
  await env.DB.exec("insert into switched_off (name, since) values ('whatsapp_notices', 1)");
  expect(await has()).toEqual({ whatsapp: false, email: true });
  await env.DB.exec('delete from switched_off');
  await env.DB.prepare('update phone_numbers set proven_at = null where user_id = ?').bind(person.id).run();
  expect(await has()).toEqual({ whatsapp: false, email: true });
  await env.DB.prepare('update users set email_proven_at = null where id = ?').bind(person.id).run();
  expect(await has()).toEqual({ whatsapp: false, email: false });
});

test('of the notices that are asked about those count that are unread and the person’s own', async () => {
  const [person, other] = [await newListener(), await newListener()];
  const [unread, read, unasked] = [await notify(person), await notify(person), await notify(person)];
  const theirs = await notify(other);
  await env.DB.prepare('update notices set read_at = 1 where id = ?').bind(read).run();
  const reach = await reachOf(person, [unread, read, theirs]);
  expect(reach?.unread).toEqual(new Set([unread]));
  expect(reach?.unread.has(unasked)).toBe(false);
});

test('a queued WhatsApp notice about another post is not sent while the person’s own phone is lost', async () => {
  const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
  const person = await newReachable();
  const id = await tellMatch(person, 'Simu ya mama imepotea');
  const phone = await savePost(person, { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno' });
  const send = () => deliver(meta.env, whatsappJob(person, [id]), { queue: 'patikana-notice-whatsapp' });
  await send();
  expect(meta.api.accepted).toEqual([]);
  await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(phone).run();
  await send();
  expect(meta.api.accepted.map(({ body }) => body)).toEqual([['Simu ya mama imepotea']]);
});

test('in quiet hours that are longer than a queue waits, a message comes back after twelve hours', async () => {
  const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
  const person = await newReachable();
  await proveEmail(person);
  const id = await tellMatch(person);
  // From an hour ago until shortly before then, tomorrow.
  const { quiet_to } = quietNow(Date.now() - 190 * 60_000);
  await want(person, { quiet_from: quietNow().quiet_from, quiet_to });
  const queue = 'patikana-notice-whatsapp';
  expect(await deliver(meta.env, whatsappJob(person, [id]), { queue })).toEqual({ isAcked: false, retryIn: 43_195 });
  const email = standInForEmail();
  expect(await deliverEmail(email.env, emailJob(person, [id]))).toEqual({ isAcked: false, retryIn: 43_200 });
});
