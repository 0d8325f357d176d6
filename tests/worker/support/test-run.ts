import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** Whether this is CI's project `thorough-worker`, which tries every case. Other projects try samples. */
export const IS_THOROUGH = env.THOROUGH === 'yes';

/** Tests kill a Worker at each of its calls to other services; outside the thorough project at every third call. */
export const DEATH_STEP = IS_THOROUGH ? 1 : 3;

/** Returns all items in the thorough project, else `size` of them, evenly spaced. */
export function sampleOf<Item>(items: readonly Item[], size: number): readonly Item[] {
  if (IS_THOROUGH || items.length <= size) return items;
  return items.filter(
    (_, index) => Math.floor((index * size) / items.length) !== Math.floor(((index - 1) * size) / items.length),
  );
}

type Logger = (line: Record<string, unknown>) => void;

/** Records the logged lines, and keeps them off the terminal. */
export function captureLogs() {
  const logs = { log: vi.fn<Logger>(), warn: vi.fn<Logger>(), error: vi.fn<Logger>() };
  const parseFor = (logger: Logger) => (line: string) => logger(JSON.parse(line));
  const [info, warn, error] = [parseFor(logs.log), parseFor(logs.warn), parseFor(logs.error)];
  vi.stubGlobal('console', { ...console, log: info, info, debug: info, warn, error });
  return logs;
}
