import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { app } from '#worker/app.ts';
import { type Caller, ORIGIN } from './api.ts';
import { passCalls } from './pass-calls.ts';

/** What a request asked of D1 before it was answered. */
export type Cost = { answer: Response; trips: number; rowsRead: number };

/**
 * Asks the app with a database that counts. What a route leaves to be done after its answer (`waitUntil`) is not
 * counted: nobody waits for it.
 */
export async function countTrips(
  method: string,
  path: string,
  { body, token, headers }: Caller & { body?: unknown } = {},
): Promise<Cost> {
  const tally = { trips: 0, rowsRead: 0, isOver: false };
  const after: Promise<unknown>[] = [];
  const context = {
    waitUntil(work: Promise<unknown>) {
      tally.isOver = true;
      after.push(work);
    },
    passThroughOnException() {},
    props: {},
  };
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(body !== undefined && !(body instanceof URLSearchParams) && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, { ...env, DB: counting(env.DB, tally) }, context as never);
  const { trips, rowsRead } = tally;
  tally.isOver = true;
  await Promise.all(after);
  return { answer, trips, rowsRead };
}

/** Asks, and fails when the route made more round trips than it may or answered otherwise. */
export async function expectTrips(most: number, status: number, ...request: Parameters<typeof countTrips>) {
  const cost = await countTrips(...request);
  const [method, path] = request;
  expect.soft(cost.answer.status, `${method} ${path}: ${await cost.answer.clone().text()}`).toBe(status);
  expect.soft(cost.trips, `round trips of ${method} ${path}`).toBeLessThanOrEqual(most);
  return cost;
}

/** A database that counts what it and its sessions and statements are asked. */
export function counting(
  database: D1Database,
  tally: { trips: number; rowsRead: number; isOver: boolean },
): D1Database {
  return passCalls(database, async (ask) => {
    if (tally.isOver) return ask();
    tally.trips++;
    const answer = await ask();
    for (const result of [answer].flat() as { meta?: D1Meta }[]) tally.rowsRead += result?.meta?.rows_read ?? 0;
    return answer;
  });
}
