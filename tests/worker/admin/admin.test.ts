import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AdminCommunity, type FeedbackEntry, SWITCHES, type Switches } from '#contract/admin.ts';
import { ENDPOINTS } from '#contract/endpoints.ts';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { call, newPerson, type Person } from '#tests/worker/support/api.ts';
import { claimed, refusal, step, take } from '#tests/worker/support/claims.ts';
import { newApprovedCommunity, newCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { deliver, issueCode, standInForMeta } from '#tests/worker/support/messages.ts';
import { newReachable, tellMatch, whatsappJob } from '#tests/worker/support/notices.ts';
import { load, newPostWithPhoto, picture, sendPhoto } from '#tests/worker/support/posts.ts';

const ROUTES: [method: string, path: (id: string) => string, body?: unknown][] = [
  ['GET', () => '/api/admin/communities'],
  ['GET', () => '/api/admin/communities?status=approved&search=a'],
  ['GET', () => '/api/admin/feedback'],
  ['POST', (id) => `/api/admin/communities/${id}/approve`],
  ['POST', (id) => `/api/admin/communities/${id}/reject`, { reason: 'Haijulikani' }],
  ['POST', (id) => `/api/admin/communities/${id}/reject`, {}],
];

async function noticesOf(userId: string): Promise<CommunityDecisionMessage[]> {
  const { results } = await env.DB.prepare('select body from notices where recipient_id = ? order by created_at')
    .bind(userId)
    .all<{ body: string }>();
  return results.map(({ body }) => JSON.parse(body) as CommunityDecisionMessage);
}

async function listCommunities(query: string, admin: { token: string }): Promise<AdminCommunity[]> {
  return (await call('GET', `/api/admin/communities?${query}`, undefined, admin)).json();
}

test('a platform admin may use the admin routes, another person gets 403, and a visitor 401', async () => {
  const creator = await newPerson();
  const { id } = await newCommunity(creator);
  for (const [method, path, body] of ROUTES) {
    for (const target of [id, crypto.randomUUID()]) {
      expect((await call(method, path(target), body)).status, path(target)).toBe(401);
      expect((await call(method, path(target), body, creator)).status, path(target)).toBe(403);
    }
  }
  expect(await env.DB.prepare('select approval_status from communities where id = ?').bind(id).first()).toEqual({
    approval_status: 0,
  });
});

test('the lists of pending and approved communities can be searched by name', async () => {
  const name = `Jumuiya ${crypto.randomUUID()}`;
  const { creator, community, platformAdmin } = await newApprovedCommunity({ name, description: 'Ya zamani' });
  const first = await newCommunity(creator, { name });
  const second = await newCommunity(creator, { name });
  const search = encodeURIComponent(name.toUpperCase());
  const pending = await listCommunities(`status=pending&search=${search}`, platformAdmin);
  expect(pending.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(await listCommunities(`search=${search}`, platformAdmin)).toEqual(pending);
  expect(await listCommunities(`status=approved&search=${search}`, platformAdmin)).toEqual([
    {
      id: community.id,
      name,
      description: 'Ya zamani',
      approval_status: 1,
      creator_username: creator.username,
      member_count: 1,
      created_at: expect.stringMatching(/Z$/),
      has_admin: true,
      closes_at: null,
      suspended_at: null,
      suspension_reason: null,
      pending_name: null,
      asker: expect.objectContaining({ id: creator.id, is_number_proven: false, post_count: 0 }),
      asker_whatsapp_number: creator.phone,
      earlier_rejections: [],
    },
  ]);
  expect((await call('GET', '/api/admin/communities?status=other', undefined, platformAdmin)).status).toBe(422);
});

test('the lists of pending and approved communities are divided into pages', async () => {
  const name = `Kurasa ${crypto.randomUUID()}`;
  const { creator, platformAdmin } = await newApprovedCommunity();
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push((await newCommunity(creator, { name })).id);
  const collect = async (status: string) => {
    const seen: string[] = [];
    let path: string | null = `/api/admin/communities?status=${status}&limit=2&search=${encodeURIComponent(name)}`;
    while (path) {
      const answer: Response = await call('GET', path, undefined, platformAdmin);
      seen.push(...(await answer.json<AdminCommunity[]>()).map(({ id }) => id));
      path = /<(.+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null;
    }
    return seen;
  };
  expect(await collect('pending')).toEqual(ids);
  for (const id of ids) await call('POST', `/api/admin/communities/${id}/approve`, undefined, platformAdmin);
  expect(await collect('approved')).toEqual(ids.toReversed());
});

test('approval opens a community and notifies its creator once', async () => {
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id, name } = await newCommunity(creator);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', `/api/admin/communities/${id}/approve`, undefined, admin)),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
  expect(await noticesOf(creator.id)).toEqual([
    {
      type: 'community_approved',
      id: expect.any(String),
      community_id: id,
      name,
      reason: null,
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
  await vi.waitFor(async () => {
    const waiting = await env.DB.prepare('select * from notices where recipient_id = ? and delivered_at is null')
      .bind(creator.id)
      .all();
    expect(waiting.results).toEqual([]);
  });
});

test('rejection deletes a community, and its creator reads the reason word for word', async () => {
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id, name } = await newCommunity(creator, { name: 'Duka "la" Juma 🌍' });
  const reason = 'Jina halieleweki.\nTafadhali eleza zaidi.';
  const answer = await call('POST', `/api/admin/communities/${id}/reject`, { reason }, admin);
  expect(answer.status).toBe(204);
  expect(await noticesOf(creator.id)).toMatchObject([{ type: 'community_rejected', community_id: id, name, reason }]);
  expect((await call('GET', `/api/communities/${id}`, undefined, creator)).status).toBe(404);
  expect(await (await call('GET', '/api/communities', undefined, creator)).json()).toEqual([]);
  expect(await env.DB.prepare('select * from memberships where community_id = ?').bind(id).first()).toBeNull();
  expect((await call('POST', `/api/admin/communities/${id}/approve`, undefined, admin)).status).toBe(404);
});

test('if a community is approved and rejected concurrently, only one decision takes effect and is sent to the creator', async () => {
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newCommunity(creator);
  const [approved, rejected] = await Promise.all([
    call('POST', `/api/admin/communities/${id}/approve`, undefined, admin),
    call('POST', `/api/admin/communities/${id}/reject`, { reason: 'La' }, admin),
  ]);
  expect([approved.ok, rejected.ok].filter(Boolean)).toHaveLength(1);
  const [notice, ...others] = await noticesOf(creator.id);
  expect(notice?.type).toBe(approved.ok ? 'community_approved' : 'community_rejected');
  expect(others).toEqual([]);
});

test('an approved community cannot be rejected, and a rejection needs a reason', async () => {
  const { community, platformAdmin, creator } = await newApprovedCommunity();
  const path = `/api/admin/communities/${community.id}/reject`;
  expect((await call('POST', path, { reason: 'La' }, platformAdmin)).status).toBe(409);
  const waiting = await newCommunity(creator);
  const blank = await call('POST', `/api/admin/communities/${waiting.id}/reject`, { reason: ' ' }, platformAdmin);
  expect(blank.status).toBe(422);
  expect(await blank.json()).toMatchObject({ detail: 'Reason is required' });
});

test('admins read the list of feedback with the newest first, page by page', async () => {
  const admin = await newPlatformAdmin();
  for (const message of ['moja', 'mbili', 'tatu'])
    await call('POST', '/api/feedback', { email: 'asha@example.com', message });
  const first = await call('GET', '/api/admin/feedback?limit=2', undefined, admin);
  expect((await first.json<FeedbackEntry[]>()).map((entry) => entry.message)).toEqual(['tatu', 'mbili']);
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  const second = await call('GET', next, undefined, admin);
  expect(await second.json()).toEqual([
    {
      id: expect.any(String),
      email: 'asha@example.com',
      message: 'moja',
      created_at: expect.stringMatching(/Z$/),
      done_at: null,
    },
  ]);
  expect(second.headers.get('Link')).toBeNull();
});

test('if a WhatsApp template is set, a decision on a community is also sent by WhatsApp, in the creator’s language', async () => {
  const { default: worker } = await import('#worker/index.ts');
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id, name } = await newCommunity(creator);
  await call('PATCH', '/api/me', { language: 'sw' }, creator);
  const send = vi.fn(async () => undefined);
  const waiting: Promise<unknown>[] = [];
  const answer = await worker.fetch(
    new Request(`https://patikana.test/api/admin/communities/${id}/approve`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.token}` },
    }),
    {
      ...env,
      WHATSAPP_DECISION_TEMPLATE: 'community_decision',
      WHATSAPP_QUEUE: { send } as unknown as typeof env.WHATSAPP_QUEUE,
    },
    {
      waitUntil: (promise: Promise<unknown>) => void waiting.push(promise),
      passThroughOnException() {},
      props: {},
    } as unknown as ExecutionContext,
  );
  expect(answer.status).toBe(200);
  await Promise.all(waiting);
  const [notice] = await noticesOf(creator.id);
  expect(send.mock.calls).toEqual([
    [
      {
        kind: 'community_decision',
        messageId: notice?.id,
        recipientId: creator.id,
        communityName: name,
        outcome: 'approved',
        language: 'sw',
      },
      { contentType: 'json' },
    ],
  ]);
});

describe('feature switches', () => {
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

  test('all switches are on by default, and each change is logged with the admin who made it', async () => {
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

  test('only platform admins read and change the switches, and a change must contain all four switches', async () => {
    const person = await newPerson();
    expect(await refusal(call('GET', '/api/admin/switches', undefined, person))).toEqual([403, 'forbidden']);
    expect(await refusal(call('PUT', '/api/admin/switches', { claims: 1 }, person))).toEqual([403, 'forbidden']);
    for (const name of SWITCHES)
      expect((await call('PUT', '/api/admin/switches', { ...ALL_ON, [name]: undefined }, admin)).status).toBe(422);
  });

  test('with registration switched off, nobody can register, and existing accounts can still sign in', async () => {
    await turn({ registration: false });
    expect(await refusal(register())).toEqual(OFF);
    expect((await call('GET', '/api/me', undefined, admin)).status).toBe(200);
    await turn({});
    expect((await register()).status).toBe(201);
  });

  test('with claims switched off, people can only read claims, report them, and end them by blocking the other person', async () => {
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

  test('with photos switched off, people can only see and delete photos', async () => {
    const person = await newPerson();
    const { post, photo } = await newPostWithPhoto(person);
    await turn({ photos: false });
    const path = `/api/posts/${post.id}/photos/${photo.id}`;
    expect(await refusal(sendPhoto(post.id, person, picture('grey.jpg')))).toEqual(OFF);
    expect(await refusal(call('PATCH', path, { alt: 'Simu' }, person))).toEqual(OFF);
    expect((await load(photo.url)).status).toBe(200);
    expect((await call('DELETE', path, undefined, person)).status).toBe(204);
  });

  test('a switch changed in one isolate of the Worker takes effect in another isolate after at most five seconds', async () => {
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

  test('with WhatsApp notices switched off, only verification codes are sent by WhatsApp', async () => {
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
});
