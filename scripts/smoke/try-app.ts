import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '#contract/admin.ts';

/** How long to wait for a response: a deployment takes a few seconds to reach every location. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 1_000;
const FILES = /(?:src|href)="(\/assets\/[^"]+)"/g;

/**
 * Sends the requests with which every visit begins. Changes nothing.
 * @param previous the version before a deployment: waits until another version answers. Null accepts any version.
 * @returns the problems found.
 */
export async function tryApp(origin: string, previous: string | null = null): Promise<string[]> {
  const ask = (path: string) => fetch(new URL(path, origin), { signal: AbortSignal.timeout(PATIENCE_MS) });
  const problems = await tryHealth(ask, previous);
  if (problems.length > 0) return problems;
  const tried = await Promise.all([tryPage(ask, '/'), tryPage(ask, '/view-posts'), tryFeed(ask), tryAbsent(ask)]);
  return tried.flat();
}

/** Returns the live version of the app, or null if the app does not respond. */
export async function readVersion(origin: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL('/api/health', origin), { signal: AbortSignal.timeout(PATIENCE_MS) });
    return ((await answer.json()) as Health).version;
  } catch {
    return null;
  }
}

type Ask = (path: string) => Promise<Response>;

async function tryHealth(ask: Ask, previous: string | null): Promise<string[]> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const problem = await judgeHealth(ask, previous);
    if (problem === null) return [];
    if (Date.now() > deadline) return [problem];
  }
}

async function judgeHealth(ask: Ask, previous: string | null): Promise<string | null> {
  try {
    const answer = await ask('/api/health');
    const { version, checks } = (await answer.json()) as Health;
    if (!answer.ok) return `/api/health answers ${answer.status}: ${JSON.stringify(checks)}.`;
    return version === previous ? `/api/health still answers with the previous version, ${version}.` : null;
  } catch (error) {
    return `/api/health: ${error}`;
  }
}

/** Checks a page, and the files that the page loads first. */
async function tryPage(ask: Ask, path: string): Promise<string[]> {
  const answer = await ask(path);
  const page = await answer.text();
  const files = new Set([...page.matchAll(FILES)].map(([, file]) => file ?? ''));
  if (!answer.ok || files.size === 0) return [`${path} answers ${answer.status} with ${files.size} files of the app.`];
  return (await Promise.all([...files].map((file) => tryFile(ask, file)))).flat();
}

async function tryFile(ask: Ask, path: string): Promise<string[]> {
  const answer = await ask(path);
  await answer.body?.cancel();
  const type = answer.headers.get('Content-Type') ?? 'nothing';
  return answer.ok && !type.startsWith('text/html') ? [] : [`${path} answers ${answer.status} as ${type}.`];
}

async function tryFeed(ask: Ask): Promise<string[]> {
  const answer = await ask('/api/posts?limit=1');
  const posts: unknown = await answer.json().catch(() => null);
  return answer.ok && Array.isArray(posts) ? [] : [`/api/posts answers ${answer.status} and no list.`];
}

/** Checks that an unknown API path answers 404. A Worker without its routes would answer with the app's page. */
async function tryAbsent(ask: Ask): Promise<string[]> {
  const { status } = await ask('/api/nothing-of-ours');
  return status === 404 ? [] : [`/api/nothing-of-ours answers ${status}, not 404.`];
}
