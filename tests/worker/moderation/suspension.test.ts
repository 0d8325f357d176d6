import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { LogEntry } from '#contract/moderation.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { connect, lostAndFound, settled } from '#tests/worker/support/notices.ts';
import { codeOf, newNumber, newRegistration, proveByMessage, register } from '#tests/worker/support/people.ts';
import { insertPosts, sweepIn } from '#tests/worker/support/posts.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';

/** A post that matches no other post of this file. */
const SOME_HAT = { title: 'Kofia ya kijani', description: '', posted_by: 'finder' };
const REASON = 'Ametangaza simu ambazo hana.';
const suspend = (person: Person, admin: Person, reason = REASON) =>
  call('POST', `/api/admin/users/${person.id}/suspend`, { reason }, admin);
const reinstate = (person: Person, admin: Person, body?: unknown) =>
  call('POST', `/api/admin/users/${person.id}/reinstate`, body, admin);
const meOf = async (person: Person) => (await call('GET', '/api/me', undefined, person)).json<Me>();
const noticesOf = async (person: Person) => (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
const statusOf = async (post: Post, viewer: { token?: string } = {}) =>
  (await call('GET', `/api/posts/${post.id}`, undefined, viewer)).status;

async function matchesOf(post: Post, person: Person): Promise<string[]> {
  const answer = await call('GET', `/api/posts/${post.id}/matches`, undefined, person);
  return (await answer.json<PostMatch[]>()).map(({ Post: { id } }) => id);
}

/** The log entries about the person, newest first, without ids and times. */
async function logOf(person: Person, admin: Person) {
  const entries = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
  return entries
    .filter(({ target_id }) => target_id === person.id)
    .map(({ actor_id, action, target_type, reason }) => ({ actor_id, action, target_type, reason }));
}

async function setLoneAdmin(admin: Person): Promise<void> {
  await env.DB.prepare('update users set is_platform_admin = (id = ?)').bind(admin.id).run();
}

test('a suspended person can read the reason for the suspension, and their open posts are visible only to them and to admins', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const [open, returned] = [await newPost(person, SOME_HAT), await newPost(person, SOME_HAT)];
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, person);
  expect((await suspend(person, admin)).status).toBe(204);
  expect(await meOf(person)).toMatchObject({ is_suspended: true, suspension_reason: REASON });
  const { notices } = await noticesOf(person);
  expect(notices.map(({ message }) => message)).toEqual([
    { type: 'account_suspended', id: expect.any(String), reason: REASON, created_at: expect.any(String) },
  ]);
  for (const viewer of [{}, await newPerson()]) expect(await statusOf(open, viewer)).toBe(404);
  for (const viewer of [person, admin]) expect(await statusOf(open, viewer)).toBe(200);
  expect(await statusOf(returned)).toBe(200);
  const own = await (await call('GET', '/api/posts/by-owner', undefined, person)).json<PostEntry[]>();
  expect(own.map(({ Post: { id, is_hidden, hidden_by } }) => ({ id, is_hidden, hidden_by }))).toEqual([
    { id: returned.id, is_hidden: false, hidden_by: [] },
    { id: open.id, is_hidden: true, hidden_by: ['suspension'] },
  ]);
});

test('reinstating a person makes their posts visible again, and both the suspension and the reinstatement are logged', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const open = await newPost(person, SOME_HAT);
  await suspend(person, admin);
  await suspend(person, admin, 'Mara ya pili');
  expect((await reinstate(person, admin)).status).toBe(204);
  await reinstate(person, admin, { reason: 'Tena' });
  expect(await meOf(person)).toMatchObject({ is_suspended: false, suspension_reason: null });
  expect(await statusOf(open)).toBe(200);
  expect((await call('POST', '/api/posts', { ...somePost, ...SOME_HAT }, person)).status).toBe(201);
  expect((await noticesOf(person)).notices.map(({ message }) => message.type)).toEqual([
    'account_reinstated',
    'account_suspended',
  ]);
  expect(await logOf(person, admin)).toEqual([
    { actor_id: admin.id, action: 'reinstate', target_type: 'user', reason: null },
    { actor_id: admin.id, action: 'suspend', target_type: 'user', reason: REASON },
  ]);
});

test('when a person is reinstated, those of their posts that are also hidden for another reason stay hidden', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  const post = await newPost(person, SOME_HAT);
  await call('POST', `/api/admin/posts/${post.id}/hide`, { reason: 'Tusi' }, admin);
  await suspend(person, admin);
  await reinstate(person, admin);
  expect(await statusOf(post)).toBe(404);
});

test('unread notices about a suspended person’s posts are withdrawn, and are sent again when the person is reinstated', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const [lostPost, foundPost] = [await newPost(loser, lost), await newPost(finder, found)];
  expect(await matchesOf(lostPost, loser)).toEqual([foundPost.id]);
  await suspend(finder, admin);
  expect(await noticesOf(loser)).toEqual({ unread_count: 0, notices: [] });
  expect(await matchesOf(lostPost, loser)).toEqual([]);
  const before = await connect(loser);
  await settled(before);
  before.socket.close();
  expect(before.messages).toEqual([]);
  await reinstate(finder, admin);
  expect(await matchesOf(lostPost, loser)).toEqual([foundPost.id]);
  await expect
    .poll(async () => (await noticesOf(loser)).notices.map(({ message }) => 'post_id' in message && message.post_id))
    .toEqual([foundPost.id]);
  const after = await connect(loser);
  await settled(after);
  after.socket.close();
  expect(after.messages).toHaveLength(1);
});

test('reinstating a person matches twenty of their posts immediately, and the scheduled job matches the other posts later', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  await insertPosts(person.id, Array(25).fill(SOME_HAT.title));
  await suspend(person, admin);
  const waiting = () =>
    env.DB.prepare('select count(*) as n from posts where author_id = ? and match_pending_since is not null')
      .bind(person.id)
      .first('n');
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/admin/users/${person.id}/reinstate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  expect((await app.fetch(request, env, ctx)).status).toBe(204);
  await waitOnExecutionContext(ctx);
  expect(await waiting()).toBe(5);
  await sweepIn(1);
  expect(await waiting()).toBe(0);
});

test('a post created while its author is being suspended is either refused or hidden', async () => {
  const admin = await newPlatformAdmin();
  for (let turn = 0; turn < 10; turn++) {
    const person = await newPerson();
    const [answer] = await Promise.all([
      call('POST', '/api/posts', { ...somePost, ...SOME_HAT }, person),
      suspend(person, admin),
    ]);
    if (answer.status === 201) expect(await statusOf(await answer.json<Post>())).toBe(404);
    else expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([403, 'suspended']);
  }
});

test('two concurrent suspensions of a person cause one notice and one log entry', async () => {
  const [one, other, person] = [await newPlatformAdmin(), await newPlatformAdmin(), await newPerson()];
  const answers = await Promise.all([suspend(person, one, 'Moja'), suspend(person, other, 'Mbili')]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect((await noticesOf(person)).notices).toHaveLength(1);
  expect(await logOf(person, one)).toHaveLength(1);
});

test('if the last two platform admins suspend each other at the same time, only one of them is suspended', async () => {
  const [one, other] = [await newPlatformAdmin(), await newPlatformAdmin()];
  await setLoneAdmin(one);
  const refused = await suspend(one, one);
  expect([refused.status, (await refused.json<ErrorBody>()).code]).toEqual([409, 'last_admin']);
  await env.DB.prepare('update users set is_platform_admin = 1 where id = ?').bind(other.id).run();
  const answers = await Promise.all([suspend(one, other), suspend(other, one)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  expect([(await meOf(one)).is_suspended, (await meOf(other)).is_suspended].sort()).toEqual([false, true]);
});

test('only a platform admin can suspend a person, and must give a reason', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  for (const act of [suspend, reinstate] as const) expect((await act(person, await newPerson())).status).toBe(403);
  expect((await suspend(person, admin, ' ')).status).toBe(422);
  expect((await suspend({ ...person, id: crypto.randomUUID() }, admin)).status).toBe(404);
  expect((await reinstate({ ...person, id: crypto.randomUUID() }, admin)).status).toBe(404);
  expect((await meOf(person)).is_suspended).toBe(false);
});

test('a suspension calls the database twice, however many posts it hides', async () => {
  const [person, admin] = [await newPerson(), await newPlatformAdmin()];
  for (let count = 0; count < 5; count++) await newPost(person, SOME_HAT);
  const path = `/api/admin/users/${person.id}/suspend`;
  const { answer, trips } = await countTrips('POST', path, { ...admin, body: { reason: REASON } });
  expect([answer.status, trips]).toEqual([204, 2]);
});

describe('the state of an account', () => {
  async function loseNumber(person: Person): Promise<void> {
    const number_proof = await proveByMessage(person.phone);
    expect((await register({ ...newRegistration(person.phone), number_proof })).status).toBe(201);
  }

  async function suspend({ id }: Person): Promise<void> {
    await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(id).run();
  }

  test.each([
    ['number_needed', loseNumber],
    ['suspended', suspend],
  ])(
    'a person whose changes to posts and communities are refused with %s can read them, and change their own account',
    async (code, fall) => {
      const { community } = await newApprovedCommunity();
      const person = await newPerson({ whatsapp_number: newNumber() });
      const { id } = await newPost(person);
      await fall(person);
      const feedback = { email: person.email, message: `Ujumbe wa ${person.id}` };
      for (const [method, path, body] of [
        ['POST', '/api/posts', somePost],
        ['PUT', `/api/posts/${id}`, somePost],
        ['PATCH', `/api/posts/${id}/found`, undefined],
        ['DELETE', `/api/posts/${id}/found`, undefined],
        ['DELETE', `/api/posts/${id}`, undefined],
        ['POST', '/api/communities', { name: 'Jumuiya', description: 'Yetu' }],
        ['POST', '/api/communities/join', { access_code: community.access_code }],
        ['POST', '/api/feedback', feedback],
      ] as const) {
        const answer = await call(method, path, body, person);
        expect([method, path, answer.status, await codeOf(answer)]).toEqual([method, path, 403, code]);
      }
      expect((await call('GET', `/api/posts/${id}`, undefined, person)).status).toBe(200);
      for (const path of ['/api/me', '/api/posts', '/api/posts/by-owner', '/api/communities', '/api/notices'])
        expect((await call('GET', path, undefined, person)).status).toBe(200);
      expect((await call('POST', '/api/notices/read', {}, person)).status).toBe(200);
      expect((await call('POST', '/api/realtime/ticket', undefined, person)).status).toBe(200);
      expect((await call('PATCH', '/api/me', { username: 'Jina jipya' }, person)).status).toBe(200);
      // Anybody can send feedback without an account, so this person can send it after signing out.
      expect((await call('POST', '/api/feedback', feedback)).status).toBe(201);
      const { results } = await env.DB.prepare('select 1 from feedback where message = ?').bind(feedback.message).all();
      expect(results).toHaveLength(1);
      const { results: checks } = await env.DB.prepare('select * from standing_checks').all();
      expect(checks).toEqual([]);
    },
  );

  test('an account that lost its phone number to another account can write again after proving another number', async () => {
    const person = await newPerson({ whatsapp_number: newNumber() });
    await loseNumber(person);
    const proof = { number_proof: await proveByMessage(newNumber()), current_password: person.password };
    expect((await call('POST', '/api/me/whatsapp-number/confirm', proof, person)).status).toBe(200);
    expect((await call('POST', '/api/posts', somePost, person)).status).toBe(201);
  });

  test('GET /api/me returns a new account with its registered data, no proven e-mail address or phone number, and no suspension', async () => {
    const number = newNumber();
    const registration = newRegistration(number);
    const made = await call('POST', '/api/users', registration, { language: 'sw' });
    const { id } = await made.json<{ id: string }>();
    const token = await signSessionToken(readConfig(env).keys.session, {
      userId: id,
      tokenVersion: 1,
      sessionId: crypto.randomUUID(),
    });
    const me = await call('GET', '/api/me', undefined, { token });
    expect(await me.json()).toEqual({
      id,
      username: registration.username,
      email: registration.email,
      is_email_proven: false,
      is_email_available: true,
      whatsapp_number: number,
      is_whatsapp_verified: false,
      language: 'sw',
      is_platform_admin: false,
      is_suspended: false,
      suspension_reason: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test('a person can change their name without changing their language, and their language without changing their name', async () => {
    const person = await newPerson();
    const change = async (body: object) => (await call('PATCH', '/api/me', body, person)).json();
    expect(await change({ username: 'Bi. Neema 👒' })).toMatchObject({ username: 'Bi. Neema 👒', language: 'en' });
    expect(await change({ language: 'sw' })).toMatchObject({ username: 'Bi. Neema 👒', language: 'sw' });
    expect(await change({ id: 'x', email: 'x@example.com' })).toMatchObject({ id: person.id, email: person.email });
    for (const body of [{ username: '' }, { username: 'x'.repeat(61) }, { language: 'fr' }, { language: null }])
      expect((await call('PATCH', '/api/me', body, person)).status).toBe(422);
    expect((await call('PATCH', '/api/me', {})).status).toBe(401);
  });

  test('a person who sees a post’s phone number also sees whether its author has proven the number', async () => {
    const [author, reader] = [await newPerson({ whatsapp_number: newNumber() }), await newPerson()];
    const { id } = await newPost(author);
    const seenBy = async (viewer?: Person) =>
      (await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<{ is_author_proven: unknown }>())
        .is_author_proven;
    expect([await seenBy(), await seenBy(reader), await seenBy(author)]).toEqual([null, false, false]);
    const proof = { number_proof: await proveByMessage(author.phone), current_password: author.password };
    expect((await call('POST', '/api/me/whatsapp-number/confirm', proof, author)).status).toBe(200);
    expect([await seenBy(), await seenBy(reader), await seenBy(author)]).toEqual([null, true, true]);
  });
});
