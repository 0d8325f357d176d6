import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { type Caller, ORIGIN, type PlatformCache } from './api.ts';
import { passCalls } from './mortal-env.ts';

/** The cost of a response: its calls to D1, and the rows that they read. */
export type Cost = { answer: Response; trips: number; rowsRead: number };

/**
 * Calls the app, and counts its calls to D1. Calls after the response (`waitUntil`) are not counted, because they delay
 * nobody.
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

/** Calls the app, and fails if it made more round trips than allowed or answered with another status. */
export async function expectTrips(most: number, status: number, ...request: Parameters<typeof countTrips>) {
  const cost = await countTrips(...request);
  const [method, path] = request;
  expect.soft(cost.answer.status, `${method} ${path}: ${await cost.answer.clone().text()}`).toBe(status);
  expect.soft(cost.trips, `round trips of ${method} ${path}`).toBeLessThanOrEqual(most);
  return cost;
}

/** A database that counts its calls, including those of its sessions and statements. */
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

/** The number of sequential calls to the database and to people's Durable Objects. Concurrent calls count once. */
export type Distance = { database: number; objects: number };

/** Bindings that measure the longest chain of calls. */
export class Odometer {
  readonly env: Env;
  #gone: Distance = { database: 0, objects: 0 };
  #toObject: Distance | null = null;
  #isOver = false;

  constructor() {
    this.env = { ...env, DB: passCalls(env.DB, (ask) => this.#go('database', ask)), USER_CHANNEL: this.#channels() };
  }

  /** The length of the longest chain of calls in which each call waits for the previous one. */
  get gone(): Distance {
    return this.#gone;
  }

  /** The length of the chain up to and including the first call to a Durable Object. */
  get toObject(): Distance {
    if (this.#toObject === null) throw new Error('No object was called');
    return this.#toObject;
  }

  /** Stops counting: calls after the response do not delay it. */
  stop(): void {
    this.#isOver = true;
  }

  async #go<Answer>(where: keyof Distance, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#isOver) return ask();
    const way = { ...this.#gone, [where]: this.#gone[where] + 1 };
    if (where === 'objects') this.#toObject ??= way;
    const answer = await ask();
    if (lengthOf(way) > lengthOf(this.#gone)) this.#gone = way;
    return answer;
  }

  #channels(): Env['USER_CHANNEL'] {
    const getByName = (name: string) => {
      const stub = env.USER_CHANNEL.getByName(name);
      return {
        deliver: (messages: Parameters<typeof stub.deliver>[0]) =>
          this.#go('objects', async () => stub.deliver(messages)),
        fetch: (request: Request) => this.#go('objects', () => stub.fetch(request)),
      };
    };
    return { getByName } as unknown as Env['USER_CHANNEL'];
  }
}

function lengthOf({ database, objects }: Distance): number {
  return database + objects;
}

export type Asked = Caller & { method: string; path: string; body?: unknown };

/**
 * Calls the Worker through the platform's cache.
 * @returns the response, and in `gone` the longest chain of calls before the response. The work after the response
 * runs, but is not counted.
 */
export async function askFar(
  cache: PlatformCache,
  { method, path, token, body, headers }: Asked,
): Promise<{ answer: Response; gone: Distance }> {
  const odometer = new Odometer();
  const after: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => {
    odometer.stop();
    after.push(work);
  };
  const isJson = body !== undefined && !(body instanceof URLSearchParams);
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as URLSearchParams) }),
  });
  const context = { waitUntil, passThroughOnException() {}, props: {} };
  const { answer } = await cache.pass(request, async () => app.fetch(request, odometer.env, context as never));
  const { gone } = odometer;
  await Promise.all(after);
  return { answer, gone };
}

/** Returns the test database. Its sessions add the text of each statement that they prepare to `texts`. */
export function recording(texts: string[]): D1Database {
  return new Proxy(env.DB, {
    get: (database, name) => {
      if (name !== 'withSession') return Reflect.get(database, name);
      return (constraint: string) => {
        const session = database.withSession(constraint);
        return {
          prepare(text: string) {
            texts.push(text);
            return session.prepare(text);
          },
          batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        };
      };
    },
  });
}
