import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { Community, CommunityQrCode, RenewedCode } from '#contract/communities.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { LogEntry } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, read, somePost } from '#tests/worker/support/api.ts';
import { join, newCommunity, newPeople, newWorld, type People } from '#tests/worker/support/communities.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { leave } from '#tests/worker/support/people.ts';
import { app } from '#worker/app.ts';
import { makeQrCode } from '#worker/communities/read-community.ts';

const at = ({ id }: { id: string }, path = '') => `/api/communities/${id}${path}`;

describe('running a community', () => {
  let people: People;
  beforeAll(async () => {
    people = await newPeople();
  });

  const codeOf = async (answer: Response) => (await answer.json<ErrorBody>()).code;
  const change = (world: { id: string }, body: unknown, person = people.admin) =>
    call('PATCH', at(world), body, person);
  const decide = (world: { id: string }, verb: string, body?: unknown) =>
    call('POST', `/api/admin/communities/${world.id}/${verb}`, body, people.platformAdmin);
  const lastTold = async (person: Person) => {
    const row = await env.DB.prepare('select body from notices where recipient_id = ? order by rowid desc limit 1')
      .bind(person.id)
      .first<{ body: string }>();
    return JSON.parse(row?.body ?? 'null') as Record<string, unknown> | null;
  };
  const logOf = async ({ id }: { id: string }) => {
    const entries = await read<LogEntry[]>('/api/admin/log?limit=100', people.platformAdmin);
    return entries.filter(({ target_id }) => target_id === id).map(({ action, reason }) => [action, reason]);
  };
  async function pendingOf({ id }: { id: string }): Promise<AdminCommunity | undefined> {
    const waiting = await read<AdminCommunity[]>('/api/admin/communities?limit=100', people.platformAdmin);
    return waiting.find((community) => community.id === id);
  }

  test('settings omitted from a request stay unchanged, and a new name waits for the platform’s approval', async () => {
    const world = await newWorld(people, 'admin');
    const described = await (await change(world, { description: ' Ya wazazi ' })).json<Community>();
    expect(described).toMatchObject({ name: 'Shule', description: 'Ya wazazi', is_listed: true, pending_name: null });
    const renamed = await (await change(world, { name: 'Shule ya Sekondari' })).json<Community>();
    expect(renamed).toMatchObject({ name: 'Shule', description: 'Ya wazazi', pending_name: 'Shule ya Sekondari' });
    expect(await read<Community>(at(world), people.member)).toMatchObject({ name: 'Shule', pending_name: null });
    expect(await (await change(world, {})).json()).toEqual(renamed);
    const search = async (text: string) =>
      (await read<Community[]>(`/api/communities?search=${text}`, people.admin)).map(({ id }) => id).includes(world.id);
    expect(await Promise.all(['shule', 'wazazi', 'sekondari', 'msingi'].map(search))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await pendingOf(world)).toMatchObject({
      approval_status: 1,
      pending_name: 'Shule ya Sekondari',
      asker: { id: people.admin.id },
      asker_whatsapp_number: people.admin.phone,
    });
    expect((await decide(world, 'approve')).status).toBe(200);
    expect(await read<Community>(at(world), people.member)).toMatchObject({ name: 'Shule ya Sekondari' });
    expect(await Promise.all(['sekondari', 'wazazi'].map(search))).toEqual([true, true]);
    expect(await lastTold(people.admin)).toMatchObject({
      type: 'community_approved',
      community_id: world.id,
      name: 'Shule ya Sekondari',
      former_name: 'Shule',
    });
    expect(await pendingOf(world)).toBeUndefined();
    expect(await codeOf(await decide(world, 'approve'))).toBe('already_decided');
    expect(await logOf(world)).toEqual([['approve_name', null]]);
  });

  test('a requested new name is deleted with the account of the admin who requested it', async () => {
    const world = await newWorld(people, 'admin');
    const asker = await newPerson();
    await join(world.accessCode, asker);
    await call('PUT', at(world, `/members/${asker.id}/role`), { role: 'admin' }, people.admin);
    await change(world, { name: 'Benki Kuu' }, asker);
    expect(await pendingOf(world)).toMatchObject({ pending_name: 'Benki Kuu' });
    expect((await leave(asker)).status).toBe(204);
    expect(await pendingOf(world)).toBeUndefined();
    expect(await read<Community>(at(world), people.admin)).toMatchObject({ name: 'Shule', pending_name: null });
  });

  test('if a new name is rejected, the community keeps its name, and the proposer’s next request shows platform admins the reason', async () => {
    const world = await newWorld(people, 'admin');
    const asker = await newPerson();
    await join(world.accessCode, asker);
    await call('PUT', at(world, `/members/${asker.id}/role`), { role: 'admin' }, people.admin);
    await change(world, { name: 'Benki Kuu' }, asker);
    expect((await decide(world, 'reject', { reason: 'Si benki.' })).status).toBe(204);
    expect(await read<Community>(at(world), asker)).toMatchObject({ name: 'Shule', pending_name: null });
    expect(await lastTold(asker)).toMatchObject({ type: 'community_rejected', name: 'Benki Kuu', reason: 'Si benki.' });
    expect(await logOf(world)).toEqual([['reject_name', 'Si benki.']]);
    const other = await newCommunity(asker, { name: 'Benki ya Kijiji' });
    const past = { name: 'Benki Kuu', reason: 'Si benki.', rejected_at: expect.stringMatching(/Z$/) };
    expect(await pendingOf(other)).toMatchObject({ asker: { id: asker.id }, earlier_rejections: [past] });
    const another = await newCommunity(people.member, { name: 'Soko la Kijiji' });
    expect(await pendingOf(another)).toMatchObject({ asker: { id: people.member.id }, earlier_rejections: [] });
    await decide(other, 'reject', { reason: 'Bado si benki.' });
    await change(world, { name: 'Kijiji' }, asker);
    expect((await pendingOf(world))?.earlier_rejections.map(({ reason }) => reason)).toEqual([
      'Bado si benki.',
      'Si benki.',
    ]);
  });

  test('only the latest requested name can be approved, and a request for the current name cancels the earlier request', async () => {
    const world = await newWorld(people, 'admin');
    await change(world, { name: 'Nzuri' });
    await change(world, { name: 'Mbaya' });
    expect(await codeOf(await decide(world, 'approve', { name: 'Nzuri' }))).toBe('wrong_state');
    expect(await read<Community>(at(world), people.admin)).toMatchObject({ name: 'Shule', pending_name: 'Mbaya' });
    expect(await (await change(world, { name: 'Shule' })).json()).toMatchObject({ pending_name: null });
    expect(await pendingOf(world)).toBeUndefined();
    const waiting = await newCommunity(people.admin, { name: 'Mpya' });
    expect(await (await change(waiting, { name: 'Mpya kabisa' })).json()).toMatchObject({
      name: 'Mpya kabisa',
      pending_name: null,
    });
    for (const body of [{ name: ' ' }, { name: null }, { is_listed: 'no' }, { description: 'x'.repeat(2_001) }])
      expect((await change(world, body)).status).toBe(422);
  });

  test('a second request to rename a community to the same name keeps the first request’s time; a different name starts a new request', async () => {
    const world = await newWorld(people, 'admin');
    const asked = () =>
      env.DB.prepare('select pending_name, pending_name_by, pending_name_at from communities where id = ?')
        .bind(world.id)
        .first();
    await change(world, { name: 'Sekondari' });
    await env.DB.prepare('update communities set pending_name_at = 5 where id = ?').bind(world.id).run();
    const first = { pending_name: 'Sekondari', pending_name_by: people.admin.id, pending_name_at: 5 };
    await change(world, { name: 'Sekondari' });
    await change(world, { description: 'Ya bweni' }, people.fellow);
    expect(await asked()).toEqual(first);
    expect((await decide(world, 'approve', { name: 'Sekondari' })).status).toBe(200);
    await change(world, { name: 'Chuo' });
    await change(world, { name: 'Chuo Kikuu' }, people.fellow);
    expect(await pendingOf(world)).toMatchObject({ pending_name: 'Chuo Kikuu', asker: { id: people.fellow.id } });
    await change(world, { name: 'Sekondari' }, people.fellow);
    expect(await asked()).toEqual({ pending_name: null, pending_name_by: null, pending_name_at: null });
  });

  test('the creator’s search finds a pending community by its changed name and description, and not by the old ones', async () => {
    const creator = await newPerson();
    const { id } = await newCommunity(creator, { name: 'Shule', description: 'Kwa wazazi' });
    const finds = async (text: string) => (await read<Community[]>(`/api/communities?search=${text}`, creator)).length;
    await change({ id }, { name: 'Chuo' }, creator);
    expect(await Promise.all(['shule', 'chuo', 'wazazi'].map(finds))).toEqual([0, 1, 1]);
    await change({ id }, { name: 'Kituo', description: 'Kwa vijana' }, creator);
    expect(await Promise.all(['chuo', 'kituo', 'wazazi', 'vijana'].map(finds))).toEqual([0, 1, 0, 1]);
  });

  test('a community’s QR code contains this site’s link to join the community, with the current access code', async () => {
    const world = await newWorld(people, 'admin');
    const shown = async () => (await read<CommunityQrCode>(at(world, '/qrcode/base64'), people.admin)).qr_code;
    const codeFor = (accessCode: string) => makeQrCode(`${ORIGIN}/communities?join=${accessCode}`);
    expect(await shown()).toBe(await codeFor(world.accessCode));
    const renewed = await call('POST', at(world, '/access-code'), undefined, people.admin);
    const { access_code } = await renewed.json<RenewedCode>();
    expect(await shown()).toBe(await codeFor(access_code));
  });

  test('a removed member sees nothing of the community, and cannot join for 30 days with any access code', async () => {
    const world = await newWorld(people, 'admin');
    const post = await newPost(people.fellow, { community_code: world.code });
    expect((await call('GET', `/api/posts/${post.id}`, undefined, people.victim)).status).toBe(200);
    await call('DELETE', at(world, `/members/${people.victim.id}`), undefined, people.admin);
    expect((await call('GET', `/api/posts/${post.id}`, undefined, people.victim)).status).toBe(404);
    const { access_code } = await (await call('POST', at(world, '/access-code'), undefined, people.admin)).json<{
      access_code: string;
    }>();
    expect((await join(world.accessCode, people.victim)).status).toBe(404);
    expect(await codeOf(await join(access_code, people.victim))).toBe('removed_from_community');
    const age = (ms: number) =>
      env.DB.prepare('update community_removals set removed_at = ? where community_id = ? and user_id = ?')
        .bind(Date.now() - ms, world.id, people.victim.id)
        .run();
    await age(30 * DAY_MS - 60_000);
    expect((await join(access_code, people.victim)).status).toBe(403);
    await age(30 * DAY_MS + 1);
    expect((await join(access_code, people.victim)).status).toBe(200);
  });

  test.each(['left', 'was removed'])(
    'a person who %s may still change and delete their posts in the community, but cannot add posts to it',
    async (how) => {
      const world = await newWorld(people, 'admin');
      const [author, reader] = [await newPerson(), people.member];
      await join(world.accessCode, author);
      const post = await newPost(author, { community_code: world.code });
      if (how === 'left') await call('DELETE', at(world, '/members/me'), undefined, author);
      else await call('DELETE', at(world, `/members/${author.id}`), undefined, people.admin);
      expect(await read<Post>(`/api/posts/${post.id}`, author)).toMatchObject({ community_code: world.code });
      const body = { ...somePost, title: 'Begi jekundu', community_code: world.code };
      expect(await (await call('PUT', `/api/posts/${post.id}`, body, author)).json()).toMatchObject({
        title: 'Begi jekundu',
        community_code: world.code,
      });
      expect(await read<Post>(`/api/posts/${post.id}`, reader)).toMatchObject({ title: 'Begi jekundu' });
      expect(await codeOf(await call('POST', '/api/posts', body, author))).toBe('not_a_member');
      const elsewhere = await newPost(author);
      expect(await codeOf(await call('PUT', `/api/posts/${elsewhere.id}`, body, author))).toBe('not_a_member');
      expect((await call('PATCH', `/api/posts/${post.id}/found`, undefined, author)).status).toBe(200);
      expect((await call('DELETE', `/api/posts/${post.id}`, undefined, author)).status).toBe(204);
    },
  );

  test('a community admin can create 200 posts a day in their community, and 30 elsewhere', async () => {
    const world = await newWorld(people, 'admin');
    const other = await newWorld(people, 'admin');
    const post = (code: string | null, person = people.admin) =>
      call('POST', '/api/posts', { ...somePost, community_code: code }, person);
    expect((await post(world.code)).status).toBe(201);
    const counters = 'select subject, count from rate_counters where subject like ? order by rowid desc limit 1';
    const desk = await env.DB.prepare(counters).bind('desk_post:%').first<{ subject: string; count: number }>();
    const count = (n: number, subject = desk?.subject) =>
      env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(n, subject).run();
    await count(199);
    expect((await post(world.code)).status).toBe(201);
    const refused = await post(world.code);
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 3_600]).toEqual([429, true]);
    for (const code of [other.code, null]) expect((await post(code)).status).toBe(201);
    for (let n = 0; n < 30; n++) expect((await post(world.code, people.member)).status).toBe(201);
    expect((await post(world.code, people.member)).status).toBe(429);
  });

  test('a platform admin can list any community’s members and appoint an admin, and the appointment is logged', async () => {
    const world = await newWorld(people, 'lastAdmin');
    const members = `/api/admin/communities/${world.id}/members`;
    expect((await call('GET', members, undefined, people.lastAdmin)).status).toBe(403);
    const listed = await read<{ user_id: string; role: string }[]>(members, people.platformAdmin);
    expect(listed.map(({ user_id }) => user_id).sort()).toEqual(
      [people.lastAdmin.id, people.member.id, people.victim.id].sort(),
    );
    const nowhere = `/api/admin/communities/${crypto.randomUUID()}/members`;
    expect((await call('GET', nowhere, undefined, people.platformAdmin)).status).toBe(404);
    for (let times = 0; times < 2; times++)
      expect((await decide(world, 'admins', { user_id: people.member.id })).status).toBe(204);
    expect(await logOf(world)).toEqual([['appoint', null]]);
  });

  test('when the admin named in a community’s statistics steps down, the statistics name another current admin', async () => {
    const world = await newWorld(people, 'admin');
    const named = async (person: Person) =>
      (await read<{ admin_username: string }>(at(world, '/stats'), person)).admin_username;
    expect(await named(people.admin)).toBe(people.admin.username);
    await call('PUT', at(world, '/members/me/role'), { role: 'member' }, people.admin);
    expect(await named(people.fellow)).toBe(people.fellow.username);
  });
});

describe('concurrent requests', () => {
  /** Concurrent requests may finish in either order. In this many rounds, both orders probably occur. */
  const ROUNDS = 6;

  let people: People;
  beforeAll(async () => {
    people = await newPeople();
  });
  const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();
  const roleOf = (communityId: string, { id }: Person) =>
    env.DB.prepare('select role from memberships where community_id = ? and user_id = ?')
      .bind(communityId, id)
      .first('role');
  const adminsOf = (communityId: string) =>
    env.DB.prepare("select count(*) as n from memberships where community_id = ? and role = 'admin'")
      .bind(communityId)
      .first('n');

  test.each([
    ['step down', 'PUT', '/members/me/role', { role: 'member' }, [200, 409]],
    ['leave', 'DELETE', '/members/me', undefined, [204, 409]],
  ] as const)(
    'if the last two admins of a community both try to %s at the same time, one of them stays admin',
    async (_name, method, path, body, expected) => {
      for (let round = 0; round < ROUNDS; round++) {
        const world = await newWorld(people, 'admin');
        const answers = await Promise.all(
          [people.admin, people.fellow].map((person) => call(method, at(world, path), body, person)),
        );
        expect(statusesOf(answers)).toEqual(expected);
        expect(await adminsOf(world.id)).toBe(1);
      }
    },
  );

  test('if two admins remove or demote each other concurrently, one stays admin', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const world = await newWorld(people, 'admin');
      const answers = await Promise.all([
        call('DELETE', at(world, `/members/${people.fellow.id}`), undefined, people.admin),
        call('PUT', at(world, `/members/${people.admin.id}/role`), { role: 'member' }, people.fellow),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await adminsOf(world.id)).toBe(1);
    }
  });

  test('if a request to join is accepted and declined concurrently, only one of the decisions takes effect', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const world = await newWorld(people, 'admin');
      const [accepted, declined] = await Promise.all(
        ['accept', 'decline'].map((verb, index) =>
          call(
            'POST',
            at(world, `/join-requests/${people.requester.id}/${verb}`),
            undefined,
            index === round % 2 ? people.admin : people.fellow,
          ),
        ),
      );
      expect(statusesOf([accepted, declined].flatMap((answer) => answer ?? []))).toEqual([204, 404]);
      expect(await roleOf(world.id, people.requester)).toBe(accepted?.ok ? 'member' : null);
      const told = await env.DB.prepare(
        "select count(*) as n from notices where type = 'join_accepted' and body like ?",
      )
        .bind(`%${world.id}%`)
        .first('n');
      expect(told).toBe(accepted?.ok ? 1 : 0);
    }
  });

  test('a join during the replacement of the access code succeeds or fails completely, and afterwards only the new access code works', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
      const [joined, renewed] = await Promise.all([
        join(world.accessCode, person),
        call('POST', at(world, '/access-code'), undefined, people.admin),
      ]);
      expect(renewed.status).toBe(200);
      expect([200, 404]).toContain(joined.status);
      expect(await roleOf(world.id, person)).toBe(joined.ok ? 'member' : null);
      expect((await join(world.accessCode, await newPerson())).status).toBe(404);
      const { access_code } = await renewed.json<{ access_code: string }>();
      expect((await join(access_code, await newPerson())).status).toBe(200);
    }
  });

  test('a person who joins while a community is being closed is notified of the closing, or is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
      const [joined, closing] = await Promise.all([
        join(world.accessCode, person),
        call('DELETE', at(world), undefined, people.admin),
      ]);
      expect(closing.status).toBe(202);
      expect([200, 403]).toContain(joined.status);
      expect(await roleOf(world.id, person)).toBe(joined.ok ? 'member' : null);
      const told = await env.DB.prepare('select type from notices where recipient_id = ?')
        .bind(person.id)
        .first('type');
      expect(told).toBe(joined.ok ? 'community_closing' : null);
    }
  });

  test('only one of a person’s five concurrent requests to join succeeds; accepting it during a join by access code creates one membership', async () => {
    const [world, person] = [await newWorld(people, 'admin'), await newPerson()];
    const asked = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', at(world, '/join-requests'), { message: 'Mimi' }, person)),
    );
    expect(statusesOf(asked)).toEqual([201, 409, 409, 409, 409]);
    const [joined, accepted] = await Promise.all([
      join(world.accessCode, person),
      call('POST', at(world, `/join-requests/${person.id}/accept`), undefined, people.admin),
    ]);
    expect([joined.ok, accepted.ok].filter(Boolean)).toHaveLength(1);
    expect(await roleOf(world.id, person)).toBe('member');
    const left = await env.DB.prepare('select count(*) as n from join_requests where user_id = ?')
      .bind(person.id)
      .first('n');
    expect(left).toBe(0);
  });

  test('two concurrent requests to close a community set one closing date and notify every other member once', async () => {
    const world = await newWorld(people, 'admin');
    const answers = await Promise.all(
      [people.admin, people.fellow].map((person) => call('DELETE', at(world), undefined, person)),
    );
    const [first, second] = await Promise.all(answers.map((answer) => answer.json<{ closes_at: string }>()));
    expect(first).toEqual(second);
    const told = await env.DB.prepare(
      "select count(*) as n from notices where type = 'community_closing' and body like ?",
    )
      .bind(`%${world.id}%`)
      .first('n');
    expect(told).toBe(3);
  });

  /** Calls the app with a database that runs other work between the request's read and its write. */
  async function callAround(meanwhile: () => Promise<unknown>, method: string, path: string, body: object, by: Person) {
    let trips = 0;
    const DB = passCalls(env.DB, async (ask) => {
      if (++trips === 2) await meanwhile();
      return ask();
    });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${by.token}` };
    const request = new Request(`${ORIGIN}${path}`, { method, headers, body: JSON.stringify(body) });
    const context = createExecutionContext();
    const answer = await app.fetch(request, { ...env, DB }, context);
    await waitOnExecutionContext(context);
    return answer;
  }

  test.each(['POST', 'PUT'] as const)(
    'a %s request that puts a post into a community is refused if an admin removes the author during the request',
    async (method) => {
      const [world, author] = [await newWorld(people, 'admin'), await newPerson()];
      await join(world.accessCode, author);
      const [inside, elsewhere] = [await newPost(author, { community_code: world.code }), await newPost(author)];
      const remove = () => call('DELETE', at(world, `/members/${author.id}`), undefined, people.admin);
      const body = { ...somePost, title: 'Begi jekundu', community_code: world.code };
      const path = method === 'POST' ? '/api/posts' : `/api/posts/${elsewhere.id}`;
      const answer = await callAround(remove, method, path, body, author);
      expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([403, 'not_a_member']);
      const { results } = await env.DB.prepare(
        'select id, community_id, title from posts where author_id = ? order by community_id is null',
      )
        .bind(author.id)
        .all();
      expect(results).toEqual([
        { id: inside.id, community_id: world.id, title: inside.title },
        { id: elsewhere.id, community_id: null, title: elsewhere.title },
      ]);
      expect((await call('PUT', `/api/posts/${inside.id}`, body, author)).status).toBe(200);
    },
  );
});
