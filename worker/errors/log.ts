import { AsyncLocalStorage } from 'node:async_hooks';
import type { LOG_EVENTS, LOG_FIELDS, LogLevel } from './log-events.ts';

/** What the Worker works for: a request, under the id that its answer bears, or a job of the queue, the cron or an object. */
type Cause = { request_id: string } | { job_id: string };
/** No errors among them: an error's message may hold what people wrote. */
type Value = string | number | boolean | null | readonly string[];
type Details = Readonly<Partial<Record<(typeof LOG_FIELDS)[number], Value>>>;
type EventOf<Level extends LogLevel> = (typeof LOG_EVENTS)[Level][number];

const causes = new AsyncLocalStorage<Cause>();

/** Does the work, and names its cause in every line that it logs, in what it leaves to `waitUntil` too. */
export function workFor<Result>(cause: Cause, work: () => Result): Result {
  return causes.run(cause, work);
}

/** The only way to the log: a line is a JSON object, which says what happened to whose request and never what was in it. */
export const log = {
  info: (event: EventOf<'info'>, details?: Details) => write('log', event, details),
  warn: (event: EventOf<'warn'>, details?: Details) => write('warn', event, details),
  error: (event: EventOf<'error'>, details?: Details) => write('error', event, details),
};

function write(level: 'log' | 'warn' | 'error', event: string, details: Details = {}): void {
  // biome-ignore lint/suspicious/noConsole: this is where it ends
  console[level](JSON.stringify({ event, ...causes.getStore(), ...details }));
}
