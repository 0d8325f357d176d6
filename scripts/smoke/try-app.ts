import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '#contract/operating.ts';

/** A deployment is in force everywhere after a few seconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 1_000;
/** Where the platform throws dice for each request of a visitor, so many are hardly ever answered by one version. */
const VISITS = 30;
const FILES = /(?:src|href)="(\/assets\/[^"]+)"/g;

/**
 * Asks a running app for what every visit begins with, and changes nothing there.
 * @param override `NAME="VERSION"`, of the versions that are deployed: which one shall answer.
 * @returns what is not as it should be.
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

/** A page, and that each file which it begins with is there as what it should be. */
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

/** A Worker that lost its routes would answer everything with the page. */
async function tryAbsent(ask: Ask): Promise<string[]> {
  const { status } = await ask('/api/nothing-of-ours');
  return status === 404 ? [] : [`/api/nothing-of-ours answers ${status}, not 404.`];
}

/** A page of one version whose scripts are asked of another does not open. */
async function tryVisits(ask: Ask): Promise<string[]> {
  const visits = Array.from(
    { length: VISITS },
    async () => ((await (await ask('/api/health')).json()) as Health).version,
  );
  const versions = new Set(await Promise.all(visits));
  return versions.size === 1
    ? []
    : [
        `One visitor is answered by ${versions.size} versions: the rule that keeps them to one is missing (docs/operating.md).`,
      ];
}
