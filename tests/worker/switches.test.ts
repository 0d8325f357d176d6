import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ENDPOINTS } from '#contract/endpoints.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { SWITCHES, type Switches } from '#contract/operating.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { claimed, refusal, step, take } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { load, newPostWithPhoto, picture, sendPhoto } from './support/photos.ts';
import { newReachable, tellMatch, whatsappJob } from './support/waiting.ts';
import { deliver, issueCode, standInForMeta } from './support/whatsapp.ts';

const ALL_ON: Switches = { registration: true, photos: true, claims: true, whatsapp_notices: true };
const OFF = [503, 'switched_off'];

let admin: Person;

beforeEach(async () => {
  admin = await newPlatformAdmin();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await turn(ALL_ON);
});

async function turn(switches: Partial<Switches>): Promise<void> {
  const answer = await call('PUT', '/api/admin/switches', { ...ALL_ON, ...switches }, admin);
  expect(await answer.json()).toEqual({ ...ALL_ON, ...switches });
}

function register(): Promise<Response> {
  const number = crypto.getRandomValues(new Uint32Array(1))[0]?.toString().padStart(9, '0').slice(-9);
  return call('POST', '/api/users', {
    username: 'Mgeni',
    email: `mgeni${number}@example.com`,
    whatsapp_number: `+2557${number?.slice(1)}`,
    password: 'tumaini la kesho',
  });
}

test('everything is on, and each turn of a switch is in the log, under who did it', async () => {
  expect(await (await call('GET', '/api/admin/switches', undefined, admin)).json()).toEqual(ALL_ON);
  await turn({ claims: false });
  await turn({ claims: false, photos: false });
  await turn({ photos: false });
  expect(await (await call('GET', '/api/admin/switches', undefined, admin)).json()).toEqual({
    ...ALL_ON,
    photos: false,
  });
  const log = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
  expect(
    log
      .filter(({ actor_id }) => actor_id === admin.id)
      .map(({ action, target_type, target_id }) => `${action} ${target_type} ${target_id}`)
      .sort(),
  ).toEqual(['switch_off switch claims', 'switch_off switch photos', 'switch_on switch claims']);
});

test('nobody but a platform admin reads or turns them, and all four are sent', async () => {
  const person = await newPerson();
  expect(await refusal(call('GET', '/api/admin/switches', undefined, person))).toEqual([403, 'forbidden']);
  expect(await refusal(call('PUT', '/api/admin/switches', { claims: 1 }, person))).toEqual([403, 'forbidden']);
  for (const name of SWITCHES)
    expect((await call('PUT', '/api/admin/switches', { ...ALL_ON, [name]: undefined }, admin)).status).toBe(422);
});

test('without registration nobody opens an account, and whoever has one signs in', async () => {
  await turn({ registration: false });
  expect(await refusal(register())).toEqual(OFF);
  expect((await call('GET', '/api/me', undefined, admin)).status).toBe(200);
  await turn({});
  expect((await register()).status).toBe(201);
});

test('without claims every step of one is refused; they are still read, reported, and ended by a block', async () => {
  const { id, post, finder, claimant } = await claimed();
  await turn({ claims: false });
  expect(await refusal(call('POST', `/api/posts/${post.id}/claims`, { answer: 'Ni langu' }, admin))).toEqual(OFF);
  const steps = Object.keys(ENDPOINTS).flatMap((name) => /^POST \/claims\/:id\/(.+)/.exec(name)?.[1] ?? []);
  const goingOn = ['reports', 'block'];
  for (const name of steps.filter((name) => !goingOn.includes(name)))
    expect([name, ...(await refusal(step(id, name, finder, {})))]).toEqual([name, ...OFF]);
  expect((await call('GET', `/api/claims/${id}`, undefined, claimant)).status).toBe(200);
  expect((await step(id, 'reports', claimant, { reason: 'scam' })).status).toBe(201);
  expect((await step(id, 'block', claimant)).status).toBe(204);
});

test('without photos none is added or changed; they are still seen, and deleted', async () => {
  const person = await newPerson();
  const { post, photo } = await newPostWithPhoto(person);
  await turn({ photos: false });
  const path = `/api/posts/${post.id}/photos/${photo.id}`;
  expect(await refusal(sendPhoto(post.id, person, picture('grey.jpg')))).toEqual(OFF);
  expect(await refusal(call('PATCH', path, { alt: 'Simu' }, person))).toEqual(OFF);
  expect((await load(photo.url)).status).toBe(200);
  expect((await call('DELETE', path, undefined, person)).status).toBe(204);
});

test('a switch that somebody turned elsewhere is in force after five seconds', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { id, finder } = await claimed();
  await take(id, 'ask', finder, { text: 'Rangi gani?' });
  await env.DB.prepare("insert into switched_off (name, since) values ('claims', 1)").run();
  vi.setSystemTime(now + 4_999);
  expect(await refusal(step(id, 'ask', finder, { text: 'Rangi gani?' }))).toEqual([409, 'wrong_state']);
  vi.setSystemTime(now + 5_000);
  expect(await refusal(step(id, 'ask', finder, { text: 'Rangi gani?' }))).toEqual(OFF);
  await env.DB.prepare("delete from switched_off where name = 'claims'").run();
  vi.setSystemTime(now + 10_000);
  expect(await refusal(step(id, 'ask', finder, { text: 'Rangi gani?' }))).toEqual([409, 'wrong_state']);
});

test('without notices by WhatsApp none goes out, and codes do', async () => {
  const meta = standInForMeta({
    WHATSAPP_APP_SECRET: 'the-app-secret',
    WHATSAPP_MATCH_TEMPLATE: 'match_notice',
    WHATSAPP_DECISION_TEMPLATE: 'community_decision',
  });
  const person = await newReachable();
  const match = whatsappJob(person, [await tellMatch(person)]);
  const decision = {
    kind: 'community_decision',
    messageId: crypto.randomUUID(),
    recipientId: person.id,
    communityName: 'Mbezi',
    outcome: 'approved',
    language: 'sw',
  };
  await turn({ whatsapp_notices: false });
  const settled = { isAcked: true, retryIn: null };
  expect(await deliver(meta.env, match, { queue: 'patikana-notice-whatsapp' })).toEqual(settled);
  expect(await deliver(meta.env, decision)).toEqual(settled);
  expect(meta.api.accepted).toEqual([]);
  await deliver(meta.env, (await issueCode(person.phone)).job);
  expect(meta.api.accepted).toHaveLength(1);
  await turn({});
  await deliver(meta.env, decision);
  expect(meta.api.accepted).toHaveLength(2);
});
