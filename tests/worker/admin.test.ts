import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { FeedbackEntry } from '#contract/feedback.ts';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import { call, newPerson } from './support/api.ts';
import { newApprovedCommunity, newCommunity, newPlatformAdmin } from './support/communities.ts';

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

test('everyone but a platform admin gets 403 on every admin route, and 401 without a token', async () => {
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

test('a platform admin finds pending and approved communities by their names', async () => {
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

test('both lists go on behind their first page', async () => {
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

test('approval opens the community and its creator is told, once', async () => {
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

test('rejection removes the community, and its creator reads the reason as it was written', async () => {
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

test('one of an approval and a rejection at once wins, and the creator hears of that one alone', async () => {
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

test('the feedback inbox is read newest first, a page at a time', async () => {
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

test("where a template is set up, a decision also goes out over WhatsApp, in the creator's language", async () => {
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
