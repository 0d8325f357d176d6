import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import {
  ANSWER,
  claim,
  claimed,
  FOUND,
  insertClaim,
  newClaim,
  newsOf,
  newsTypesOf,
  read,
  refusal,
  statusesOf,
  step,
  take,
  wrongCode,
} from '#tests/worker/support/claims.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';

test('both parties of a new claim see the post’s question, but only the finder sees the post’s secret marks and is notified', async () => {
  const { finder, claimant, post, id } = await claimed();
  const mine = await read(id, claimant);
  expect(mine).toEqual({
    id,
    post_id: post.id,
    post_title: FOUND.title,
    role: 'claimant',
    other_name: finder.username.replace(/\d{9,}/, '•••'),
    question: FOUND.claim_question,
    answer: ANSWER,
    private_marks: null,
    status: 'waiting',
    is_paused: false,
    messages: [],
    history: [{ step: 'claim', by: 'claimant', created_at: mine.created_at }],
    phone_number: null,
    handover_code: null,
    created_at: mine.created_at,
    updated_at: mine.created_at,
  });
  expect(await read(id, finder)).toEqual({
    ...mine,
    role: 'finder',
    other_name: claimant.username.replace(/\d{9,}/, '•••'),
    private_marks: FOUND.private_marks,
  });
  const [told, ...more] = await newsOf(finder);
  expect(more).toEqual([]);
  expect(told).toMatchObject({ type: 'claim_received', claim_id: id, post_id: post.id, title: FOUND.title });
  expect(await newsOf(claimant)).toEqual([]);
});

test('each party of a claim is notified of the other’s actions, and sees the other’s phone number once the claim is accepted', async () => {
  const { finder, claimant, post, id } = await claimed();
  expect((await take(id, 'ask', finder, { text: 'Rangi gani?' })).status).toBe('asked');
  const replied = await take(id, 'reply', claimant, { text: 'Buluu. Nitalipa nauli' });
  expect(replied.status).toBe('waiting');
  expect(replied.messages).toEqual([
    { from: 'finder', text: 'Rangi gani?', is_about_money: false, created_at: expect.any(String) },
    { from: 'claimant', text: 'Buluu. Nitalipa nauli', is_about_money: true, created_at: expect.any(String) },
  ]);
  const accepted = await take(id, 'accept', finder);
  expect(accepted).toMatchObject({ status: 'accepted', phone_number: claimant.phone, handover_code: null });
  const mine = await read(id, claimant);
  expect(mine).toMatchObject({ status: 'accepted', phone_number: FOUND.phone_number });
  expect(mine.handover_code).toMatch(/^\d{6}$/);
  expect(mine.other_name).toBe(finder.username);
  const done = await take(id, 'hand-over', finder, { code: ` ${mine.handover_code} ` });
  expect(done).toMatchObject({ status: 'handed_over', phone_number: claimant.phone });
  expect(done.history.map(({ step: name, by }) => `${name} ${by}`)).toEqual([
    'claim claimant',
    'ask finder',
    'reply claimant',
    'accept finder',
    'hand-over finder',
  ]);
  expect(await read(id, claimant)).toMatchObject({
    status: 'handed_over',
    phone_number: FOUND.phone_number,
    handover_code: null,
    history: done.history,
  });
  expect(await newsTypesOf(finder)).toEqual(['claim_received', 'claim_replied']);
  expect(await newsTypesOf(claimant)).toEqual(['claim_asked', 'claim_accepted', 'handed_over']);
  const own = await (await call('GET', `/api/posts/${post.id}`, undefined, finder)).json<Post>();
  expect(own.is_found).toBe(true);
  expect(await refusal(call('DELETE', `/api/posts/${post.id}/found`, undefined, finder))).toEqual([409, 'too_late']);
});

test('the parties of a claim can see each other’s phone numbers for a week after the hand-over', async () => {
  const { finder, claimant, id } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  const DAY_MS = 24 * 60 * 60 * 1000;
  for (const [days, isShown] of [
    [6.99, true],
    [7.01, false],
  ] as const) {
    await env.DB.prepare('update claims set handed_over_at = ? where id = ?')
      .bind(Date.now() - days * DAY_MS, id)
      .run();
    expect([days, (await read(id, claimant)).phone_number !== null]).toEqual([days, isShown]);
    expect((await read(id, finder)).phone_number).toBe(isShown ? claimant.phone : null);
  }
});

test('only the two parties of a claim can see it', async () => {
  const { id } = await claimed();
  const stranger = await newPerson();
  expect(await refusal(call('GET', `/api/claims/${id}`, undefined, stranger))).toEqual([404, 'claim_not_found']);
  expect((await call('GET', `/api/claims/${id}`)).status).toBe(401);
  for (const [name, body] of [
    ['ask', { text: 'Nini?' }],
    ['reply', { text: 'Hiki' }],
    ['accept', undefined],
    ['decline', undefined],
    ['undo', undefined],
    ['withdraw', undefined],
    ['hand-over', { code: '123456' }],
    ['reports', { reason: 'scam' }],
    ['block', undefined],
  ] as const)
    expect([name, ...(await refusal(step(id, name, stranger, body)))]).toEqual([name, 404, 'claim_not_found']);
  expect(await (await call('GET', '/api/claims', undefined, stranger)).json()).toEqual([]);
});

test('a claim that breaks several rules is refused for the first broken rule in a fixed order', async () => {
  const { finder, claimant, post, id } = await claimed();
  expect(await refusal(claim('hakuna', claimant))).toEqual([404, 'post_not_found']);
  expect(await refusal(claim(post.id, finder))).toEqual([409, 'not_claimable']);
  const lost = await newPost(finder, { ...FOUND, posted_by: 'owner' });
  expect(await refusal(claim(lost.id, claimant))).toEqual([409, 'not_claimable']);
  const returned = await newPost(finder, FOUND);
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, finder);
  expect(await refusal(claim(returned.id, claimant))).toEqual([409, 'not_claimable']);
  expect(await refusal(claim(post.id, claimant))).toEqual([409, 'claim_exists']);
  await take(id, 'withdraw', claimant);
  const again = await newClaim(post.id, claimant);
  // A person without a proven phone number may make two claims a day. A repeated claim gets 409 before this limit is
  // checked.
  expect(await refusal(claim(post.id, claimant))).toEqual([409, 'claim_exists']);
  await take(again.id, 'withdraw', claimant);
  expect(await refusal(claim(post.id, claimant))).toEqual([409, 'no_tries_left']);
  const other = await newPost(finder, FOUND);
  const refused = await claim(other.id, claimant);
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  for (const input of [{ answer: '' }, { answer: 'a'.repeat(501) }, { answer: 7 }, { phone_number: 'namba' }])
    expect((await claim(other.id, await newPerson(), input)).status).toBe(422);
});

test('a claim on a hidden post, or on a post whose author the claimant has blocked, gives 404', async () => {
  const { finder, claimant, post } = await claimed();
  const rival = await newPerson();
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(post.id).run();
  expect(await refusal(claim(post.id, rival))).toEqual([404, 'post_not_found']);
  await env.DB.prepare('update posts set hidden_by = 0 where id = ?').bind(post.id).run();
  await call('POST', `/api/posts/${post.id}/block-author`, undefined, rival);
  expect(await refusal(claim(post.id, rival))).toEqual([404, 'post_not_found']);
  expect(await refusal(claim(post.id, claimant))).toEqual([409, 'claim_exists']);
  expect(await newsTypesOf(finder)).toEqual(['claim_received']);
});

test('a person with a proven phone number can make at most five claims a day, and can claim a post again after their claim was closed', async () => {
  const [finder, claimant] = [await newPerson(), await newPerson()];
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(claimant.id).run();
  for (let count = 0; count < 5; count++) await newClaim((await newPost(finder, FOUND)).id, claimant);
  const sixth = await newPost(finder, FOUND);
  expect((await claim(sixth.id, claimant)).status).toBe(429);
  await env.DB.prepare('delete from rate_counters').run();
  const post = await newPost(finder, FOUND);
  for (let count = 0; count < 3; count++) {
    await newClaim(post.id, claimant);
    await call('PATCH', `/api/posts/${post.id}/found`, undefined, finder);
    await call('DELETE', `/api/posts/${post.id}/found`, undefined, finder);
  }
  expect((await newClaim(post.id, claimant)).status).toBe('waiting');
});

test('a claimant can give a phone number other than the one of their account', async () => {
  const { finder, id } = await claimed({}, { phone_number: '0777123456' });
  expect((await take(id, 'accept', finder)).phone_number).toBe('0777123456');
});

test('one idempotency key creates one claim, and a different claim under the same key is refused', async () => {
  const [finder, claimant] = [await newPerson(), await newPerson()];
  const post = await newPost(finder, FOUND);
  const caller = { ...claimant, headers: { 'Idempotency-Key': 'dai' } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => claim(post.id, caller)));
  const ids = await Promise.all(answers.map(async (answer) => (await answer.json<Claim>()).id));
  expect(new Set(ids).size).toBe(1);
  expect(await refusal(claim(post.id, caller, { answer: 'Lingine' }))).toEqual([422, 'idempotency_mismatch']);
  expect(await newsTypesOf(finder)).toEqual(['claim_received']);
});

test('in one claim the finder can ask the claimant at most four questions', async () => {
  const { finder, claimant, id } = await claimed();
  for (let count = 0; count < 4; count++) {
    await take(id, 'ask', finder, { text: 'Na nini?' });
    expect(await refusal(step(id, 'ask', finder, { text: 'Na nini?' }))).toEqual([409, 'wrong_state']);
    await take(id, 'reply', claimant, { text: 'Hiki' });
  }
  expect(await refusal(step(id, 'ask', finder, { text: 'Na nini?' }))).toEqual([409, 'wrong_state']);
  expect((await take(id, 'accept', finder)).status).toBe('accepted');
});

test('only one of a post’s claims can be accepted, and the hand-over of the accepted claim closes the other claims', async () => {
  const { finder, claimant, post, id } = await claimed();
  const [rival, third] = [await newPerson(), await newPerson()];
  const [other, gone] = [await newClaim(post.id, rival), await newClaim(post.id, third)];
  await take(gone.id, 'withdraw', third);
  await take(id, 'accept', finder);
  expect(await refusal(step(other.id, 'accept', finder))).toEqual([409, 'wrong_state']);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
  expect(await statusesOf(other.id, { finder, claimant: rival })).toEqual(['closed', 'closed']);
  expect(await newsTypesOf(rival)).toEqual(['claim_closed']);
  expect(await newsTypesOf(third)).toEqual([]);
});

test('after five wrong hand-over codes even the right code is refused for an hour, and the finder can still decline the claim', async () => {
  const { finder, claimant, id } = await claimed();
  await take(id, 'accept', finder);
  const code = (await read(id, claimant)).handover_code;
  for (const typed of ['12345', '1234567', 'abcdef', '', 123456])
    expect((await step(id, 'hand-over', finder, { code: typed })).status).toBe(422);
  expect(await refusal(step(id, 'hand-over', claimant, { code: wrongCode(code) }))).toEqual([409, 'wrong_state']);
  for (let count = 0; count < 5; count++)
    expect(await refusal(step(id, 'hand-over', finder, { code: wrongCode(code) }))).toEqual([400, 'invalid_code']);
  for (const typed of [wrongCode(code), code]) {
    const locked = await step(id, 'hand-over', finder, { code: typed });
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(3_500);
    expect(Number(locked.headers.get('Retry-After'))).toBeLessThanOrEqual(3_600);
    expect(await locked.json()).toMatchObject({ code: 'code_locked' });
  }
  expect((await read(id, finder)).status).toBe('accepted');
  await env.DB.prepare('update claims set code_locked_until = 1 where id = ?').bind(id).run();
  for (let count = 0; count < 5; count++)
    expect((await step(id, 'hand-over', finder, { code: wrongCode(code) })).status).toBe(400);
  expect((await step(id, 'hand-over', finder, { code })).status).toBe(429);
  expect((await take(id, 'decline', finder)).status).toBe('declined');
});

test('marking a post as found or deleting it closes its claims', async () => {
  for (const [method, path] of [
    ['PATCH', '/found'],
    ['DELETE', ''],
  ] as const) {
    const { finder, claimant, post, id } = await claimed();
    await take(id, 'accept', finder);
    await call(method, `/api/posts/${post.id}${path}`, undefined, finder);
    expect(await read(id, claimant)).toMatchObject({
      status: 'closed',
      post_title: FOUND.title,
      phone_number: null,
      handover_code: null,
    });
    expect(await newsTypesOf(claimant)).toEqual(['claim_accepted', 'claim_closed']);
    expect(await refusal(step(id, 'withdraw', claimant))).toEqual([409, 'wrong_state']);
  }
});

test('claims closed with their post stay closed when the post is opened again', async () => {
  const { finder, claimant, post, id } = await claimed();
  await call('PATCH', `/api/posts/${post.id}/found`, undefined, finder);
  expect((await call('DELETE', `/api/posts/${post.id}/found`, undefined, finder)).status).toBe(200);
  expect(await statusesOf(id, { finder, claimant })).toEqual(['closed', 'closed']);
  expect((await newClaim(post.id, claimant)).status).toBe('waiting');
});

describe('the list of claims', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Requests a page of claims. @returns the ids of its claims, and the URL of the next page. */
  async function page(path: string, person: Person) {
    const answer = await call('GET', path, undefined, person);
    expect(answer.status).toBe(200);
    const next = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    return { ids: (await answer.json<Claim[]>()).map(({ id }) => id), next };
  }

  async function turnAll(
    person: Person,
    limit: number,
    between: (turned: number) => Promise<unknown> = async () => {},
  ) {
    const ids: string[] = [];
    let turned = 0;
    for (let path: string | undefined = `/api/claims?limit=${limit}`; path; ) {
      const { ids: shown, next } = await page(path, person);
      expect(shown.length).toBeLessThanOrEqual(limit);
      ids.push(...shown);
      path = next;
      if (path) await between(++turned);
      expect(turned).toBeLessThan(20);
    }
    return ids;
  }

  /**
   * Creates a person with three claims on their posts and two claims of their own.
   * @returns the person, and the ids of the claims, newest first.
   */
  async function busyPerson() {
    const person = await newPerson();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++)
      ids.push((await newClaim((await newPost(person, FOUND)).id, await newPerson())).id);
    for (let count = 0; count < 2; count++)
      ids.push((await newClaim((await newPost(await newPerson(), FOUND)).id, person)).id);
    return { person, ids: ids.reverse() };
  }

  test('contains a person’s claims as finder and as claimant, the most recently changed first, page by page', async () => {
    const { person, ids } = await busyPerson();
    for (const limit of [1, 2, 4, 5, 50]) expect([limit, await turnAll(person, limit)]).toEqual([limit, ids]);
    const oldest = ids.at(-1) ?? '';
    await take(oldest, 'ask', person, { text: 'Rangi gani?' });
    expect(await turnAll(person, 2)).toEqual([oldest, ...ids.slice(0, -1)]);
  });

  test('may repeat a claim that changes between two page requests, and never omits a claim', async () => {
    for (const limit of [1, 2]) {
      const { person, ids } = await busyPerson();
      const oldest = ids.at(-1) ?? '';
      const seen = await turnAll(person, limit, async (turned) => {
        if (turned === 1) await take(oldest, 'ask', person, { text: 'Rangi gani?' });
        if (turned === 2) await take(oldest, 'accept', person);
      });
      expect(new Set(seen)).toEqual(new Set(ids));
    }
  });

  test('contains each claim once even if several claims changed at the same moment, with any page size', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const [finder, claimant] = count % 2 ? [person, other] : [other, person];
      ids.push(await insertClaim({ postId: crypto.randomUUID(), finder, claimant }));
    }
    const expected = ids.sort().reverse();
    for (const limit of [1, 2, 3, 4, 5]) expect([limit, await turnAll(person, limit)]).toEqual([limit, expected]);
  });

  test('begins the second page with the claims that changed after the first page was read', async () => {
    for (const limit of [1, 2]) {
      const { person, ids } = await busyPerson();
      const [last, next, second] = ids.toReversed();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
      const seen = await turnAll(person, limit, async (turned) => {
        if (turned === 1) for (const id of [last, next, second]) await take(id ?? '', 'ask', person, { text: 'Nini?' });
      });
      vi.useRealTimers();
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(seen.slice(limit, limit + 3).sort()).toEqual([last, next, second].sort());
    }
  });

  test('refuses an invalid cursor', async () => {
    const person = await newPerson();
    for (const query of ['limit=0', 'limit=101', 'cursor=kesho', 'cursor=1.2.3'])
      expect((await call('GET', `/api/claims?${query}`, undefined, person)).status).toBe(422);
    expect(await page('/api/claims?cursor=1700000000000.abc', person)).toEqual({ ids: [], next: undefined });
  });

  test('reads only the claims of the requested page, in one database call', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    for (let count = 0; count < 300; count++)
      await insertClaim({ postId: crypto.randomUUID(), finder: person, claimant: other });
    const { trips, rowsRead } = await countTrips('GET', '/api/claims?limit=5', person);
    expect(trips).toBe(1);
    expect(rowsRead).toBeLessThan(200);
  });
});
