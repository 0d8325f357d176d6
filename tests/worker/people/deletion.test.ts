import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { CLOSE_SIGNED_OUT, type LiveMessage } from '#contract/live-messages.ts';
import { call, newPerson, newPost, ORIGIN, type Person, signIn, somePost } from '#tests/worker/support/api.ts';
import { FOUND, read } from '#tests/worker/support/claims.ts';
import { join, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { statusFor, toldTo } from '#tests/worker/support/moderation.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { channelOf, connect, takeTicket, upgrade } from '#tests/worker/support/notices.ts';
import {
  everyRow,
  everythingIn,
  isKnown,
  leave,
  newEntangledLeaver,
  newLeaver,
  STAYS,
  titlesFound,
  WRONG,
} from '#tests/worker/support/people.ts';
import { IS_THOROUGH, sampleOf } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { sweep } from '#worker/sweep.ts';

type World = Awaited<ReturnType<typeof newLeaver>> & Partial<Awaited<ReturnType<typeof newEntangledLeaver>>>;

afterEach(() => {
  vi.useRealTimers();
});

function tracesOf({ word, leaver, post, pending, pair, digest }: World): string[] {
  const ids = [leaver.id, post.id, pending.id, pair.mine, ...(digest === undefined ? [] : [digest])];
  return [...ids, leaver.email, leaver.phone, leaver.username, word].map((trace) => trace.toLowerCase());
}

/** Checks that no data of the leaver remains, and that other people's data is unchanged. */
async function expectGone(world: World): Promise<void> {
  const { word, leaver, other, theirs, community, pair } = world;
  const places = { tables: await everyRow(), mailbox: await everythingIn(other), own: await everythingIn(leaver) };
  for (const [place, text] of Object.entries(places))
    expect([place, tracesOf(world).filter((trace) => text.includes(trace))]).toEqual([place, []]);
  const found = await env.DB.prepare('select rowid from posts_search where posts_search match ?').bind(word).all();
  const seen = env.DB.prepare('select rowid from posts_visitor_search where posts_visitor_search match ?');
  expect([found.results, (await seen.bind(word).all()).results]).toEqual([[], []]);
  expect(await titlesFound(word, other)).toEqual([]);
  for (const id of [theirs.id, pair.theirs]) expect(await statusFor(id, other)).toBe(200);
  expect((await call('GET', `/api/communities/${community.id}`, undefined, other)).status).toBe(200);
  expect(places.tables).toContain('maneno ya ripoti');
}

/**
 * Checks that the claims between the leaver and the other person are closed and contain only the other person's texts,
 * and that the other person's posts are unchanged.
 */
async function expectClaimsStay({
  leaver,
  other,
  claims,
}: Awaited<ReturnType<typeof newEntangledLeaver>>): Promise<void> {
  for (const { id, postId, finder } of claims) {
    const claim = await read(id, other);
    const isFinder = finder.id === other.id;
    expect(claim).toMatchObject({ status: 'closed', other_name: null, phone_number: null, handover_code: null });
    expect(claim.messages.map(({ text }) => text)).toEqual([STAYS]);
    expect([claim.answer, claim.question]).toEqual(isFinder ? [null, FOUND.claim_question] : [STAYS, null]);
    expect(await statusFor(postId, other)).toBe(isFinder ? 200 : 404);
    expect((await call('GET', `/api/claims/${id}`, undefined, leaver)).status).toBe(401);
  }
}

const isOfMatch = ({ type }: LiveMessage) => type === 'matching_post';

test('deleting an account removes all of its data, and does not change other people’s data', async () => {
  const world = await newEntangledLeaver();
  const { leaver, other, pair } = world;
  expect(tracesOf(world).filter((trace) => trace !== leaver.username.toLowerCase())).not.toEqual([]);
  expect((await toldTo(other)).filter(isOfMatch)).toMatchObject([{ post_id: pair.mine }]);
  const ticket = await takeTicket(leaver);
  const open = await connect(leaver);
  const answer = await leave(leaver);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  await expectGone(world);
  await expectClaimsStay(world);
  expect((await toldTo(other)).map(({ type }) => type)).toContain('claim_closed');
  expect((await toldTo(other)).filter(isOfMatch)).toEqual([]);
  await expect.poll(() => open.closed?.code).toBe(CLOSE_SIGNED_OUT);
  expect((await upgrade(leaver.id, ticket)).status).toBe(401);
  expect((await call('GET', '/api/me', undefined, leaver)).status).toBe(401);
  expect((await signIn(leaver.email, leaver.password)).status).toBe(401);
  // A person who left may register again as a new person.
  const again = { username: 'Mpya', email: leaver.email, whatsapp_number: leaver.phone, password: leaver.password };
  expect((await call('POST', '/api/users', again)).status).toBe(201);
});

test('the mailbox of a deleted account accepts no notices, and becomes empty once the account’s socket tickets have expired', async () => {
  const { leaver } = await newLeaver();
  await leave(leaver);
  expect(await everythingIn(leaver)).toContain('"erase_at"');
  await channelOf(leaver).deliver([{ type: 'password_changed', id: 'mpya', created_at: '2026-11-22T05:00:00.000Z' }]);
  expect(await everythingIn(leaver)).not.toContain('mpya');
  await runDurableObjectAlarm(channelOf(leaver));
  expect(await everythingIn(leaver)).toContain('"erase_at"');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40_000 });
  await runDurableObjectAlarm(channelOf(leaver));
  expect(JSON.parse(await everythingIn(leaver))).toEqual([[], []]);
});

test('if the deletion of an account is interrupted at any point, the scheduled job finishes the deletion', async () => {
  let begun = 0;
  for (const dieAt of sampleOf([2, 5, 7, 10, 13, 16, 21, 28, 36, 45], 3)) {
    const world = await newLeaver();
    const mortal = mortalEnv(dieAt);
    await leaveOn(mortal.env, world.leaver);
    expect([dieAt, mortal.isDead()]).toEqual([dieAt, true]);
    const isClosed = (await call('GET', '/api/me', undefined, world.leaver)).status === 401;
    if (isClosed) begun++;
    else expect((await leave(world.leaver)).status).toBe(204);
    expect([dieAt, await titlesFound(world.word, world.other)]).toEqual([dieAt, []]);
    await sweep(env, Date.now() + 61_000);
    await expectGone(world);
  }
  expect(begun).toBeGreaterThan(IS_THOROUGH ? 5 : 1);
}, 240_000);

async function leaveOn(bindings: Env, person: Person): Promise<number> {
  const request = new Request(`${ORIGIN}/api/me`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ current_password: person.password }),
  });
  const ctx = createExecutionContext();
  const { status } = await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx).catch(() => undefined);
  return status;
}

test('an account’s deletion waits while a mailbox with notices about its posts is unreachable, but the notices are hidden at once', async () => {
  const world = await newLeaver();
  const { leaver, other } = world;
  const USER_CHANNEL = {
    getByName: (name: string) =>
      name === other.id
        ? { retract: () => Promise.reject(new Error('unreachable')) }
        : env.USER_CHANNEL.getByName(name),
  };
  expect(await leaveOn({ ...env, USER_CHANNEL } as unknown as Env, leaver)).toBe(204);
  expect(await isKnown(leaver)).toBe(true);
  expect(await toldTo(other)).toEqual([]);
  await sweep(env);
  expect(await isKnown(leaver)).toBe(true);
  await sweep(env, Date.now() + 61_000);
  await expectGone(world);
});

test('only one of two concurrent deletions of an account succeeds', async () => {
  const world = await newLeaver();
  const statuses = (await Promise.all([leave(world.leaver), leave(world.leaver)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([204, 401]);
  await expectGone(world);
});

test('a post created during the deletion of its author is deleted too', async () => {
  const person = await newPerson();
  const posting = () => call('POST', '/api/posts', { ...somePost, title: 'Begi la mwisho kabisa' }, person);
  const joining = () => call('POST', '/api/communities', { name: 'Ya mwisho kabisa', description: '' }, person);
  const [left, ...made] = await Promise.all([leave(person), posting(), joining(), posting(), posting()]);
  expect(left?.status).toBe(204);
  for (const { status } of made) expect([201, 401]).toContain(status);
  await expect.poll(everyRow).not.toContain('mwisho kabisa');
  expect(await everyRow()).not.toContain(person.id);
});

test('deleting an account requires its password, and after ten wrong passwords the right password is refused too', async () => {
  const person = await newPerson();
  for (let guess = 0; guess < 10; guess++) expect((await leave(person, WRONG)).status).toBe(403);
  expect((await leave(person)).status).toBe(429);
  expect((await leave(person, '')).status).toBe(422);
  expect((await call('DELETE', '/api/me', undefined, person)).status).toBe(415);
  expect((await call('GET', '/api/me', undefined, person)).status).toBe(200);
});

test('the last admin of the platform cannot delete their account', async () => {
  await env.DB.prepare('update users set is_platform_admin = 0').run();
  const [one, two] = [await newPerson(), await newPerson()];
  await env.DB.prepare('update users set is_platform_admin = 1 where id in (?, ?)').bind(one.id, two.id).run();
  const statuses = (await Promise.all([leave(one), leave(two)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([204, 409]);
  const stays = (await isKnown(one)) ? one : two;
  const refused = await leave(stays);
  expect((await refused.json<ErrorBody>()).code).toBe('last_admin');
  expect((await call('GET', '/api/me', undefined, stays)).status).toBe(200);
});

const isOfCommunity = ({ type }: LiveMessage) => type === 'community_without_admin';

test('a community whose last admin left accepts no new members until a platform admin appoints an admin', async () => {
  const { leaver, other, platformAdmin, community } = await newLeaver();
  const stranger = await newPerson();
  await leave(leaver);
  const refused = await join(community.access_code, stranger);
  expect([refused.status, (await refused.json<ErrorBody>()).code]).toEqual([403, 'community_has_no_admin']);
  expect((await toldTo(platformAdmin)).filter(isOfCommunity)).toEqual([
    expect.objectContaining({ community_id: community.id, name: community.name }),
  ]);
  const appoint = (id: string, userId: string, admin: Person) =>
    call('POST', `/api/admin/communities/${id}/admins`, { user_id: userId }, admin);
  expect((await appoint(community.id, other.id, stranger)).status).toBe(403);
  expect((await appoint(community.id, stranger.id, platformAdmin)).status).toBe(404);
  expect((await appoint(crypto.randomUUID(), other.id, platformAdmin)).status).toBe(404);
  expect((await appoint(community.id, other.id, platformAdmin)).status).toBe(204);
  expect((await call('GET', `/api/communities/${community.id}/members`, undefined, other)).status).toBe(200);
  expect((await join(community.access_code, stranger)).status).toBe(200);
});

test('a community closes when its last member deletes their account', async () => {
  const { community, creator } = await newApprovedCommunity();
  const [member, stranger] = [await newPerson(), await newPerson()];
  await join(community.access_code, member);
  for (const person of [creator, member]) expect((await leave(person)).status).toBe(204);
  expect((await join(community.access_code, stranger)).status).toBe(404);
  const listed = await (await call('GET', '/api/communities/approved', undefined, stranger)).json<{ id: string }[]>();
  expect(listed.map(({ id }) => id)).not.toContain(community.id);
});

test('if one of a community’s two admins deletes their account, the community stays open and platform admins get no notice', async () => {
  const { leaver, other, platformAdmin, community } = await newLeaver();
  await env.DB.prepare("update memberships set role = 'admin' where user_id = ?").bind(other.id).run();
  await leave(leaver);
  expect((await join(community.access_code, await newPerson())).status).toBe(200);
  expect((await toldTo(platformAdmin)).filter(isOfCommunity)).toEqual([]);
});

test('the API answers 404 for a post whose author has deleted their account', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const post = await newPost(person);
  await leave(person);
  expect([await statusFor(post.id, stranger), await statusFor(post.id, {})]).toEqual([404, 404]);
});
