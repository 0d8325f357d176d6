import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '#contract/operating.ts';

/** A deployment takes a few seconds to reach every location. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 1_000;
/** If the platform chose a version at random for each request, this many would hardly ever get the same one. */
const VISITS = 30;
const FILES = /(?:src|href)="(\/assets\/[^"]+)"/g;

/**
 * Requests what every visit to a running app begins with, without changing anything.
 * @param override `NAME="VERSION"`: which of the deployed versions should answer.
 * @returns the problems found.
 */
export async function tryApp(origin: string, override?: string): Promise<string[]> {
  const headers: Record<string, string> = override ? { 'Cloudflare-Workers-Version-Overrides': override } : {};
  const ask = (path: string) => fetch(new URL(path, origin), { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const problems = await tryHealth(ask, override);
  if (problems.length > 0) return problems;
  const tried = await Promise.all([tryPage(ask, '/'), tryPage(ask, '/view-posts'), tryFeed(ask), tryAbsent(ask)]);
  return [...tried.flat(), ...(override ? [] : await tryVisits(ask))];
}

type Ask = (path: string) => Promise<Response>;

async function tryHealth(ask: Ask, override: string | undefined): Promise<string[]> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const problem = await judgeHealth(ask, override);
    if (problem === null) return [];
    if (Date.now() > deadline) return [problem];
  }
}

async function judgeHealth(ask: Ask, override: string | undefined): Promise<string | null> {
  try {
    const answer = await ask('/api/health');
    const { version, checks } = (await answer.json()) as Health;
    if (!answer.ok) return `/api/health answers ${answer.status}: ${JSON.stringify(checks)}.`;
    if (override && !override.endsWith(`="${version}"`)) return `Version ${version} answers instead of ${override}.`;
    return null;
  } catch (error) {
    return `/api/health: ${error}`;
  }
}

/** Checks a page, and the files that it loads first. */
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

/** Checks an unknown address: a Worker that has lost its routes would answer everything with the page. */
async function tryAbsent(ask: Ask): Promise<string[]> {
  const { status } = await ask('/api/nothing-of-ours');
  return status === 404 ? [] : [`/api/nothing-of-ours answers ${status}, not 404.`];
}

/** Checks that a visit stays with one version: a page cannot load scripts of another. */
async function tryVisits(ask: Ask): Promise<string[]> {
  const visits = Array.from(
    { length: VISITS },
    async () => ((await (await ask('/api/health')).json()) as Health).version,
  );
  const versions = new Set(await Promise.all(visits));
  return versions.size === 1
    ? []
    : [
        `One visitor is answered by ${versions.size} versions: the rule that keeps them to one is missing (docs/deploy.md).`,
      ];
}
