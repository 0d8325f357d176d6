import { afterEach, expect, test, vi } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { FOUND, insertClaim, newClaim, take } from './support/claims.ts';
import { countTrips } from './support/count-trips.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A page, and where the next one is. */
async function page(path: string, person: Person) {
  const answer = await call('GET', path, undefined, person);
  expect(answer.status).toBe(200);
  const next = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
  return { ids: (await answer.json<Claim[]>()).map(({ id }) => id), next };
}

async function turnAll(person: Person, limit: number, between: (turned: number) => Promise<unknown> = async () => {}) {
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

/** Somebody with three claims on their posts and two of their own, the newest first. */
async function busyPerson() {
  const person = await newPerson();
  const ids: string[] = [];
  for (let count = 0; count < 3; count++)
    ids.push((await newClaim((await newPost(person, FOUND)).id, await newPerson())).id);
  for (let count = 0; count < 2; count++)
    ids.push((await newClaim((await newPost(await newPerson(), FOUND)).id, person)).id);
  return { person, ids: ids.reverse() };
}

test('claims of both sides, what changed last first, page by page', async () => {
  const { person, ids } = await busyPerson();
  for (const limit of [1, 2, 4, 5, 50]) expect([limit, await turnAll(person, limit)]).toEqual([limit, ids]);
  const oldest = ids.at(-1) ?? '';
  await take(oldest, 'ask', person, { text: 'Rangi gani?' });
  expect(await turnAll(person, 2)).toEqual([oldest, ...ids.slice(0, -1)]);
});

test('a claim that changes while the pages are turned may come twice, and none is lost', async () => {
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

test('of what changed at one moment each claim is shown once, whatever the page', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    const [finder, claimant] = count % 2 ? [person, other] : [other, person];
    ids.push(await insertClaim({ postId: crypto.randomUUID(), finder, claimant }));
  }
  const expected = ids.sort().reverse();
  for (const limit of [1, 2, 3, 4, 5]) expect([limit, await turnAll(person, limit)]).toEqual([limit, expected]);
});

test('claims that change at the very moment of a page, or many at once behind it, come on the next', async () => {
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

test('what stands no page for is refused', async () => {
  const person = await newPerson();
  for (const query of ['limit=0', 'limit=101', 'cursor=kesho', 'cursor=1.2.3'])
    expect((await call('GET', `/api/claims?${query}`, undefined, person)).status).toBe(422);
  expect(await page('/api/claims?cursor=1700000000000.abc', person)).toEqual({ ids: [], next: undefined });
});

test('a page reads no more claims than it shows, in one round trip', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  for (let count = 0; count < 300; count++)
    await insertClaim({ postId: crypto.randomUUID(), finder: person, claimant: other });
  const { trips, rowsRead } = await countTrips('GET', '/api/claims?limit=5', person);
  expect(trips).toBe(1);
  expect(rowsRead).toBeLessThan(200);
});
