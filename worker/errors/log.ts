import { AsyncLocalStorage } from 'node:async_hooks';
import type { LOG_EVENTS, LOG_FIELDS, LogLevel } from './log-events.ts';

/** What caused the work: a request, or a job of a queue, of the cron or of a Durable Object. */
type Cause = { request_id: string } | { job_id: string };
/** The value of a log field. Never an error, whose message may contain what people wrote. */
type Value = string | number | boolean | null | readonly string[];
type Details = Readonly<Partial<Record<(typeof LOG_FIELDS)[number], Value>>>;
type EventOf<Level extends LogLevel> = (typeof LOG_EVENTS)[Level][number];

const causes = new AsyncLocalStorage<Cause>();

/** Runs the work and adds its cause to every line that it logs, including from `waitUntil`. */
export function workFor<Result>(cause: Cause, work: () => Result): Result {
  return causes.run(cause, work);
}

/**
 * Logs an event. No other module may write to the log. Each line has an event and ids, and never what a request
 * contained.
 */
export const log = {
  info: (event: EventOf<'info'>, details?: Details) => write('log', event, details),
  warn: (event: EventOf<'warn'>, details?: Details) => write('warn', event, details),
  error: (event: EventOf<'error'>, details?: Details) => write('error', event, details),
};

function write(level: 'log' | 'warn' | 'error', event: string, details: Details = {}): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console
  console[level](JSON.stringify({ event, ...causes.getStore(), ...details }));
}

/** Returns the error's name, which may be logged. The error's message may contain what people wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The stack frames, without the message above them. */
export function errorFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
}

/**
 * Logs where a request failed, without the error's message: a database error's message contains bound values.
 * @param request Hono's `c.req`.
 */
export function logUnexpected(
  error: unknown,
  { method, routePath: route }: { method: string; routePath: string },
): void {
  log.error('unexpected_error', { method, route, name: errorName(error), frames: errorFrames(error) });
}

/**
 * Rejects if `ask` takes longer than `patienceMs`. The work itself is not cancelled and may still complete.
 * @throws Error on a timeout, or whatever `ask` throws.
 */
export async function answerInTime<Answer>(ask: () => Promise<Answer>, patienceMs: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), patienceMs);
  });
  try {
    return await Promise.race([ask(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
