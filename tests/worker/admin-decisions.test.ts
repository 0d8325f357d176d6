import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { toDecisionMessage } from '#worker/admin/admin-rules.ts';
import { approve, findDecidable, reject } from '#worker/admin/decide-store.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import { call, newPerson, ORIGIN, type Person } from './support/api.ts';
import { join, newApprovedCommunity, newCommunity, newPlatformAdmin } from './support/communities.ts';
import { toldTo } from './support/moderation.ts';

const decide = (id: string, verb: 'approve' | 'reject', admin: Person) =>
  call(
    'POST',
    `/api/admin/communities/${id}/${verb}`,
    verb === 'reject' ? { reason: 'Haijulikani' } : undefined,
    admin,
  );

async function listed(query: string, admin: Person): Promise<AdminCommunity[]> {
  return (await call('GET', `/api/admin/communities?limit=100&${query}`, undefined, admin)).json();
}

async function logOf(targetId: string, admin: Person) {
  const entries = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
  return entries
    .filter(({ target_id }) => target_id === targetId)
    .map(({ actor_id, action, target_type, reason }) => [actor_id, action, target_type, reason]);
}

async function isMember(communityId: string, { id }: Person): Promise<unknown> {
  return env.DB.prepare('select role from memberships where community_id = ? and user_id = ?')
    .bind(communityId, id)
    .first('role');
}

test('a decision is about one community, is delivered with it, and is written down with its reason', async () => {
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const [approved, rejected, waiting] = [
    await newCommunity(creator),
    await newCommunity(creator),
    await newCommunity(creator),
  ];
  expect((await (await decide(approved.id, 'approve', admin)).json()) as object).toEqual({
    id: approved.id,
    name: approved.name,
    approval_status: 1,
  });
  expect((await decide(rejected.id, 'reject', admin)).status).toBe(204);
  const undelivered = await env.DB.prepare('select type from notices where delivered_at is null').all();
  expect(undelivered.results).toEqual([]);
  expect((await toldTo(creator)).map(({ type }) => type)).toEqual(['community_rejected', 'community_approved']);
  for (const { id } of [approved, waiting]) expect(await isMember(id, creator)).toBe('admin');
  const { results } = await env.DB.prepare('select id, approval_status from communities where creator_id = ?')
    .bind(creator.id)
    .all<{ id: string; approval_status: number }>();
  expect(Object.fromEntries(results.map((row) => [row.id, row.approval_status]))).toEqual({
    [approved.id]: 1,
    [waiting.id]: 0,
  });
  expect(await logOf(approved.id, admin)).toEqual([[admin.id, 'approve', 'community', null]]);
  expect(await logOf(rejected.id, admin)).toEqual([[admin.id, 'reject', 'community', 'Haijulikani']]);
});

test.each([
  ['a community', false],
  ['a new name', true],
])('what has changed since an admin read %s is not decided on', async (_what, isName) => {
  const { community, creator, platformAdmin } = isName
    ? await newApprovedCommunity()
    : { ...(await newCreator()), platformAdmin: await newPlatformAdmin() };
  const rename = (name: string) => call('PATCH', `/api/communities/${community.id}`, { name }, creator);
  await rename('Jina la kwanza');
  const db = openDb(env);
  const viewer = await verifySessionToken(readConfig(env).keys.session, platformAdmin.token);
  if (!viewer) throw new Error('no session');
  const read = await findDecidable(db, viewer, community.id);
  if (!read) throw new Error('nothing is pending');
  await rename('Jina la pili');
  const told = (await toldTo(creator)).length;
  const logged = await logOf(community.id, platformAdmin);
  for (const [write, reason] of [
    [approve, null],
    [reject, 'Haijulikani'],
  ] as const) {
    const message = toDecisionMessage(read, reason, { id: crypto.randomUUID(), now: 1 });
    expect(await write(db, viewer, { community: read, message, job: null, now: 1 })).toBe(false);
  }
  expect(await toldTo(creator)).toHaveLength(told);
  expect(await logOf(community.id, platformAdmin)).toEqual(logged);
  expect(await isMember(community.id, creator)).toBe('admin');
  const now = await findDecidable(db, viewer, community.id);
  expect(isName ? now?.pending_name : now?.name).toBe('Jina la pili');
  const rejections = await env.DB.prepare('select id from community_rejections where user_id = ?')
    .bind(creator.id)
    .all();
  expect(rejections.results).toEqual([]);
});

async function newCreator() {
  const creator = await newPerson();
  return { creator, community: await newCommunity(creator) };
}

test('of a new name nothing goes out over WhatsApp, as the template is worded for communities', async () => {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  await call('PATCH', `/api/communities/${community.id}`, { name: 'Jina jipya' }, creator);
  const send = vi.fn(async () => undefined);
  const ctx = createExecutionContext();
  const headers = { Authorization: `Bearer ${platformAdmin.token}` };
  const request = new Request(`${ORIGIN}/api/admin/communities/${community.id}/approve`, { method: 'POST', headers });
  const bindings: object = { ...env, WHATSAPP_DECISION_TEMPLATE: 'community_decision', WHATSAPP_QUEUE: { send } };
  expect((await app.fetch(request, bindings as Env, ctx)).status).toBe(200);
  await waitOnExecutionContext(ctx);
  expect(send).not.toHaveBeenCalled();
  expect((await toldTo(creator))[0]).toMatchObject({ name: 'Jina jipya' });
});

test('a new name waits since it was asked for, and what is closed waits for nobody', async () => {
  const name = `Foleni ${crypto.randomUUID()}`;
  const { community: old, creator, platformAdmin } = await newApprovedCommunity({ name });
  const first = await newCommunity(creator, { name });
  const second = await newCommunity(creator, { name });
  await call('PATCH', `/api/communities/${old.id}`, { name: `${name} mpya` }, creator);
  const change = (set: string, id: string) =>
    env.DB.prepare(`update communities set ${set} where id = ?`).bind(id).run();
  const day = 24 * 60 * 60 * 1000;
  await change(`created_at = created_at - ${3 * day}`, old.id);
  await change(`created_at = created_at - ${day}`, second.id);
  await change(`pending_name_at = pending_name_at - ${2 * day}`, old.id);
  const search = `search=${encodeURIComponent(name)}`;
  const idsOf = async (status: string) =>
    (await listed(`status=${status}&${search}`, platformAdmin)).map(({ id }) => id);
  expect(await idsOf('pending')).toEqual([old.id, second.id, first.id]);
  await decide(second.id, 'approve', platformAdmin);
  expect(await idsOf('approved')).toEqual([second.id, old.id]);
  await change(`closes_at = ${day}`, second.id);
  const [closing] = await listed(`status=approved&${search}`, platformAdmin);
  expect([closing?.closes_at, closing?.has_admin]).toEqual(['1970-01-02T00:00:00.000Z', true]);
  for (const { id } of [first, second, old]) await change('closed_at = 1', id);
  expect([await idsOf('pending'), await idsOf('approved')]).toEqual([[], []]);
});

test('what waits equally long comes in the order of the ids, and no page leaves anything out', async () => {
  const name = `Sawa ${crypto.randomUUID()}`;
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push((await newCommunity(creator, { name })).id);
  await env.DB.prepare('update communities set created_at = 1 where creator_id = ?').bind(creator.id).run();
  const walk = async (status: string) => {
    const seen: (string | undefined)[] = [];
    let path: string | undefined = `/api/admin/communities?status=${status}&limit=1&search=${encodeURIComponent(name)}`;
    while (path) {
      const answer: Response = await call('GET', path, undefined, admin);
      seen.push(...(await answer.json<AdminCommunity[]>()).map(({ id }) => id));
      path = /<(.+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return seen;
  };
  expect(await walk('pending')).toEqual(ids.toSorted());
  for (const id of ids) await decide(id, 'approve', admin);
  expect(await walk('approved')).toEqual(ids.toSorted().toReversed());
});

test('the five latest rejections of whoever asks are told with what waits, and nobody else’s', async () => {
  const [creator, other, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const insert = (person: Person, at: number) =>
    env.DB.prepare(
      "insert into community_rejections (id, user_id, name, reason, rejected_at) values (?, ?, 'Jina', ?, ?)",
    )
      .bind(crypto.randomUUID(), person.id, `Sababu ${at}`, at)
      .run();
  for (let at = 1; at <= 6; at++) await insert(creator, at);
  await insert(other, 7);
  const name = `Tena ${crypto.randomUUID()}`;
  const { id } = await newCommunity(creator, { name });
  await env.DB.prepare('delete from phone_numbers where user_id = ?').bind(creator.id).run();
  const search = `search=${encodeURIComponent(name)}`;
  const [waiting] = await listed(search, admin);
  expect(waiting?.asker_whatsapp_number).toBeNull();
  expect(waiting?.earlier_rejections).toEqual(
    [6, 5, 4, 3, 2].map((at) => ({
      ...{ name: 'Jina', reason: `Sababu ${at}` },
      rejected_at: new Date(at).toISOString(),
    })),
  );
  await decide(id, 'approve', admin);
  expect((await listed(`status=approved&${search}`, admin))[0]?.earlier_rejections).toEqual([]);
});

test('whoever is made an admin is one there alone, and is named as the one who runs it only if nobody else does', async () => {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const elsewhere = await newApprovedCommunity();
  const [first, second, stranger] = [await newPerson(), await newPerson(), await newPerson()];
  for (const person of [first, second]) await join(community.access_code, person);
  for (const person of [first, stranger]) await join(elsewhere.community.access_code, person);
  const appoint = async ({ id: user_id }: Person) =>
    (await call('POST', `/api/admin/communities/${community.id}/admins`, { user_id }, platformAdmin)).status;
  const runBy = () =>
    env.DB.prepare('select creator_id from communities where id = ?').bind(community.id).first('creator_id');
  expect([await appoint(stranger), await appoint(first)]).toEqual([404, 204]);
  expect(await runBy()).toBe(creator.id);
  expect([await isMember(community.id, first), await isMember(community.id, second)]).toEqual(['admin', 'member']);
  for (const person of [first, stranger]) expect(await isMember(elsewhere.community.id, person)).toBe('member');
  await env.DB.prepare("update memberships set role = 'member' where community_id = ?").bind(community.id).run();
  expect(await appoint(second)).toBe(204);
  expect(await runBy()).toBe(second.id);
  const entry = [platformAdmin.id, 'appoint', 'community', null];
  expect((await logOf(community.id, platformAdmin)).filter(([, action]) => action === 'appoint')).toEqual([
    entry,
    entry,
  ]);
  expect(
    await env.DB.prepare('select creator_id from communities where id = ?')
      .bind(elsewhere.community.id)
      .first('creator_id'),
  ).toBe(elsewhere.creator.id);
  const page = await call('GET', `/api/admin/communities/${community.id}/members?limit=2`, undefined, platformAdmin);
  const next = /<(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
  const rest = await call('GET', next, undefined, platformAdmin);
  expect([(await page.json<unknown[]>()).length, (await rest.json<unknown[]>()).length]).toEqual([2, 1]);
});
