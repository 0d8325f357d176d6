import { vi } from 'vitest';

type Logger = (line: Record<string, unknown>) => void;

/** Records the logged lines, and keeps them off the terminal. */
export function captureLogs() {
  const logs = { log: vi.fn<Logger>(), warn: vi.fn<Logger>(), error: vi.fn<Logger>() };
  const parseFor = (logger: Logger) => (line: string) => logger(JSON.parse(line));
  const [info, warn, error] = [parseFor(logs.log), parseFor(logs.warn), parseFor(logs.error)];
  vi.stubGlobal('console', { ...console, log: info, info, debug: info, warn, error });
  return logs;
}
