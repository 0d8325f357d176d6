import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { type Caller, ORIGIN } from './api.ts';

type Entry = { path: string; vary: [name: string, value: string | null][]; made: Response };

/**
 * The platform's cache before the Worker, as documented (docs/decisions/028-shared-answers.md) and at its worst: the
 * key is path and query, no header is part of it except those in `Vary`, and a heuristic caches responses without cache
 * headers.
 */
export class PlatformCache {
  readonly #entries: Entry[] = [];

  async ask(path: string, { token, headers }: Caller = {}): Promise<{ answer: Response; isHit: boolean }> {
    const request = new Request(`${ORIGIN}${path}`, {
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    });
    return this.pass(request, async () => app.fetch(request, env as Env, createExecutionContext()));
  }

  /** @param make calls the Worker if the cache has no response. */
  async pass(request: Request, make: () => Promise<Response>): Promise<{ answer: Response; isHit: boolean }> {
    if (request.method !== 'GET' || request.headers.has('Upgrade')) return { answer: await make(), isHit: false };
    const path = request.url.slice(ORIGIN.length);
    const isMeant = ([name, value]: [string, string | null]) => request.headers.get(name) === value;
    const entry = this.#entries.find((one) => one.path === path && one.vary.every(isMeant));
    if (entry) return { answer: entry.made.clone(), isHit: true };
    const answer = await make();
    if (isStored(answer)) {
      const names = answer.headers.get('Vary')?.split(/, */) ?? [];
      const vary = names.map((name): [string, string | null] => [name, request.headers.get(name)]);
      this.#entries.push({ path, vary, made: answer.clone() });
    }
    return { answer, isHit: false };
  }
}

/** The most specific header decides. */
function isStored({ headers }: Response): boolean {
  const control = headers.get('Cloudflare-CDN-Cache-Control') ?? headers.get('Cache-Control') ?? 'public';
  return !/no-store|private/.test(control) && !headers.has('Set-Cookie');
}
