import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { AdminCommunity, FeedbackEntry, PlatformAdmin } from '#contract/admin.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { call, newPerson, newPost, ORIGIN, type Person, read } from '#tests/worker/support/api.ts';
import { refusal } from '#tests/worker/support/claims.ts';
import { join, newApprovedCommunity, newCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { decide, statusFor, toldTo } from '#tests/worker/support/moderation.ts';
import { app } from '#worker/app.ts';
import { approve, findDecidable, reject, toDecisionMessage } from '#worker/communities/decide-on-community.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { verifySessionToken } from '#worker/identity/session-token.ts';
import { findJudged, hideForAdmins, type JudgedPost } from '#worker/moderation/decide-on-post.ts';

describe('decisions on communities', () => {
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

  test('an approval or rejection affects one community, notifies its creator immediately, and is logged with its reason', async () => {
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
    ['a new community', false],
    ['a community’s new name', true],
  ])(
    'an admin’s decision is refused if the creator changed the community’s name after the admin read the name (decision on %s)',
    async (_what, isName) => {
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
    },
  );

  async function newCreator() {
    const creator = await newPerson();
    return { creator, community: await newCommunity(creator) };
  }

  test('a decision on a community’s new name sends no WhatsApp message: the template is only for new communities', async () => {
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

  test('the admins’ queue lists new communities and communities’ new names, longest waiting first, without closed communities', async () => {
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

  test('communities with equal waiting times are ordered by id, and each of them is on exactly one page of the list', async () => {
    const name = `Sawa ${crypto.randomUUID()}`;
    const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await newCommunity(creator, { name })).id);
    await env.DB.prepare('update communities set created_at = 1 where creator_id = ?').bind(creator.id).run();
    const walk = async (status: string) => {
      const seen: (string | undefined)[] = [];
      let path: string | undefined =
        `/api/admin/communities?status=${status}&limit=1&search=${encodeURIComponent(name)}`;
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

  test('a pending community is listed with its creator’s five most recently rejected communities', async () => {
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

  test('an appointed admin gets the role in one community only, and becomes the recorded creator if the community had no admin', async () => {
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
});

const revoke = (person: { id: string }, admin: Person) =>
  call('DELETE', `/api/admin/admins/${person.id}`, undefined, admin);
const suspend = (person: Person, admin: Person) =>
  call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Akaunti imeibiwa' }, admin);
const reinstate = (person: Person, admin: Person) =>
  call('POST', `/api/admin/users/${person.id}/reinstate`, undefined, admin);
const logBy = (admin: Person, query = '') => read<LogEntry[]>(`/api/admin/log?limit=100${query}`, admin);

/** Makes these people the only platform admins. */
async function onlyAdmins(...admins: Person[]): Promise<void> {
  const ids = JSON.stringify(admins.map(({ id }) => id));
  await env.DB.prepare(
    `update users set is_platform_admin = id in (select value from json_each(?1)), platform_admin_since = 1000
     where is_platform_admin or id in (select value from json_each(?1))`,
  )
    .bind(ids)
    .run();
}

async function newAdmins(): Promise<[Person, Person]> {
  const admins = [await newPlatformAdmin(), await newPlatformAdmin()] as [Person, Person];
  await onlyAdmins(...admins);
  return admins;
}

test('platform admins see a list of all platform admins, even suspended ones, with the date on which each got the role', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const { id, username, email } = admin;
  const listed = await read<PlatformAdmin[]>('/api/admin/admins', admin);
  expect(listed).toHaveLength(2);
  const granted_at = new Date(1000).toISOString();
  expect(listed).toContainEqual({ id, username, email, is_suspended: false, granted_at });
  expect(listed).toContainEqual(expect.objectContaining({ id: other.id, is_suspended: true }));
});

test('a person whose platform-admin role is revoked loses all admin rights, and a repeated revocation is not logged', async () => {
  const [admin, other] = await newAdmins();
  expect((await revoke(other, admin)).status).toBe(204);
  expect((await revoke(other, admin)).status).toBe(204);
  expect((await revoke({ id: crypto.randomUUID() }, admin)).status).toBe(404);
  expect(await read('/api/me', other)).toMatchObject({ is_platform_admin: false });
  expect(await refusal(call('GET', '/api/admin/log', undefined, other))).toEqual([403, 'forbidden']);
  const entries = (await logBy(admin)).filter(({ target_id }) => target_id === other.id);
  expect(entries).toEqual([
    {
      id: expect.any(String),
      actor_id: admin.id,
      actor_name: admin.username,
      action: 'revoke_admin',
      target_type: 'user',
      target_id: other.id,
      target_name: other.username,
      reason: null,
      created_at: expect.any(String),
    },
  ]);
});

test('the only platform admin who is not suspended cannot be suspended or erased, nor lose the role', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const leave = () => call('DELETE', '/api/me', { current_password: admin.password }, admin);
  for (const attempt of [() => revoke(admin, admin), () => suspend(admin, admin), leave])
    expect(await refusal(attempt())).toEqual([409, 'last_admin']);
  expect((await revoke(other, admin)).status).toBe(204);
  expect(await refusal(revoke(admin, admin))).toEqual([409, 'last_admin']);
  expect((await logBy(admin)).filter(({ target_id }) => target_id === admin.id)).toEqual([]);
});

test('a suspended admin may delete their account if the platform has another admin', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const answer = await call('DELETE', '/api/me', { current_password: other.password }, other);
  expect(answer.status).toBe(204);
});

test('if two platform admins concurrently revoke each other’s role, one of them remains admin', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = await newAdmins();
    const answers = await Promise.all([revoke(two, one), revoke(one, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, expect.toBeOneOf([403, 409])]);
    const [row] = (await env.DB.prepare('select count(*) as count from users where is_platform_admin').all()).results;
    expect(row).toEqual({ count: 1 });
  }
});

test('if platform admin A suspends platform admin B while B revokes A’s role, one of the two remains an active admin', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = await newAdmins();
    await Promise.all([revoke(two, one), suspend(one, two)]);
    const acting = env.DB.prepare(
      'select count(*) as count from users where is_platform_admin and suspended_at is null',
    );
    expect((await acting.all()).results).toEqual([{ count: 1 }]);
  }
});

test('a suspended admin has no admin rights until reinstated, not even to read', async () => {
  const [admin, other] = await newAdmins();
  const post = await newPost(await newPerson());
  await decide('hide', post.id, admin);
  expect(await statusFor(post.id, other)).toBe(200);
  await suspend(other, admin);
  expect(await statusFor(post.id, other)).toBe(404);
  expect(await read('/api/me', other)).toMatchObject({ is_platform_admin: false, is_suspended: true });
  for (const path of ['communities', 'reports', 'log', 'search?q=a', 'week', 'feedback', 'switches', 'admins'])
    expect(await refusal(call('GET', `/api/admin/${path}`, undefined, other))).toEqual([403, 'forbidden']);
  for (const path of [`users/${admin.id}`, `posts/${post.id}`])
    expect(await refusal(call('GET', `/api/admin/${path}`, undefined, other))).toEqual([403, 'forbidden']);
  expect(await refusal(call('GET', '/api/me/passkeys', undefined, other))).toEqual([403, 'forbidden']);
  expect(await refusal(decide('restore', post.id, other))).toEqual([403, 'forbidden']);
  expect(await refusal(reinstate(other, other))).toEqual([403, 'forbidden']);
  expect((await reinstate(other, admin)).status).toBe(204);
  expect((await call('GET', '/api/admin/log', undefined, other)).status).toBe(200);
  expect(await statusFor(post.id, other)).toBe(200);
});

test('a decision is refused if the admin’s role was revoked while the request ran', async () => {
  const [admin, other] = await newAdmins();
  const [post, db] = [await newPost(await newPerson()), openDb(env)];
  const viewer = { userId: other.id, tokenVersion: 1, sessionId: crypto.randomUUID() };
  const judged = await findJudged(db, viewer, post.id);
  await revoke(other, admin);
  await expect(hideForAdmins(db, viewer, judged as JudgedPost, 'Tusi')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await statusFor(post.id, await newPerson())).toBe(200);
});

test('the list of feedback can be filtered by open or done, and marking feedback as done twice is logged once', async () => {
  const [admin] = await newAdmins();
  await env.DB.prepare('delete from feedback').run();
  for (const message of ['Asante', 'Haifanyi kazi'])
    await call('POST', '/api/feedback', { email: 'asha@example.com', message });
  const list = (state?: string) =>
    read<FeedbackEntry[]>(`/api/admin/feedback${state === undefined ? '' : `?state=${state}`}`, admin);
  const [second, first] = await list();
  expect(second).toMatchObject({ message: 'Haifanyi kazi', done_at: null });
  for (let time = 0; time < 2; time++)
    expect((await call('POST', `/api/admin/feedback/${first?.id}/done`, undefined, admin)).status).toBe(204);
  expect((await list('open')).map(({ id }) => id)).toEqual([second?.id]);
  expect(await list('done')).toEqual([{ ...first, done_at: expect.any(String) }]);
  expect(await list()).toHaveLength(2);
  expect((await call('GET', '/api/admin/feedback?state=waiting', undefined, admin)).status).toBe(422);
  expect((await call('POST', `/api/admin/feedback/${crypto.randomUUID()}/done`, undefined, admin)).status).toBe(404);
  expect(await logBy(admin, '&target_type=feedback')).toMatchObject([
    { actor_id: admin.id, action: 'feedback_done', target_id: first?.id, target_name: 'asha@example.com' },
  ]);
});

test('the moderation log can be filtered by action, target and admin, and names the target of each entry', async () => {
  const [admin, other] = await newAdmins();
  const [author, post] = [await newPerson(), await newPost(await newPerson(), { title: 'Mwavuli mweusi' })];
  await decide('hide', post.id, admin);
  await decide('restore', post.id, other);
  await suspend(author, other);
  const actions = async (query: string) =>
    (await logBy(admin, query))
      .filter(({ actor_id }) => actor_id === admin.id || actor_id === other.id)
      .map(({ action }) => action);
  expect(await actions('')).toEqual(['suspend', 'restore', 'hide']);
  expect(await actions('&target_type=post')).toEqual(['restore', 'hide']);
  expect(await actions(`&actor_id=${other.id}`)).toEqual(['suspend', 'restore']);
  expect(await actions('&action=hide')).toEqual(['hide']);
  expect((await logBy(admin, `&action=hide&actor_id=${admin.id}`))[0]).toMatchObject({
    actor_name: admin.username,
    target_name: 'Mwavuli mweusi',
  });
  expect((await call('GET', '/api/admin/log?action=kill', undefined, admin)).status).toBe(422);
});
