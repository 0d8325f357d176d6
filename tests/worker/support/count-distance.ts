import { env } from 'cloudflare:workers';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { type Caller, ORIGIN } from './api.ts';
import { passCalls } from './pass-calls.ts';
import type { PlatformCache } from './platform-cache.ts';

/** Calls, one after another, that leave the edge for the database or a person's object; what is asked at once counts once. */
export type Distance = { database: number; objects: number };

/** Bindings that note what is asked of them, and after what. */
export class Odometer {
  readonly env: Env;
  #gone: Distance = { database: 0, objects: 0 };
  #toObject: Distance | null = null;
  #isOver = false;

  constructor() {
    this.env = { ...env, DB: passCalls(env.DB, (ask) => this.#go('database', ask)), USER_CHANNEL: this.#channels() };
  }

  /** The longest way of all that has been answered. */
  get gone(): Distance {
    return this.#gone;
  }

  /** The way to the first object that was called, that call included. */
  get toObject(): Distance {
    if (this.#toObject === null) throw new Error('No object was called');
    return this.#toObject;
  }

  /** What is asked from now on nobody waits for. */
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
 * Asks through the platform's cache.
 * @returns the answer, and how far it went for it; what is left for after the answer is done, and not counted.
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
