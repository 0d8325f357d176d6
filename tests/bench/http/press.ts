import { Agent, request } from 'node:http';
import { percentilesOf } from '#tests/support/percentiles.ts';

export type Asking = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
};

/** The result of some seconds of requests. */
export type Pressed = { times: number[]; seconds: number; processorMs: number };

export type Summary = { perSecond: number; p50: number; p99: number; processorMs: number };

/**
 * Sends requests over so many connections, each sending the next as soon as it has its answer.
 * @param make the next request: each may need another body.
 * @param processorMs what the Worker has used of the processor so far.
 */
export async function press(
  make: () => Asking,
  { connections, seconds, processorMs }: { connections: number; seconds: number; processorMs: () => number },
): Promise<Pressed> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const before = processorMs();
  const begin = performance.now();
  const until = begin + 1_000 * seconds;
  const work = async () => {
    while (performance.now() < until) {
      const at = performance.now();
      await ask(agent, make());
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { times, seconds: (performance.now() - begin) / 1_000, processorMs: processorMs() - before };
}

export function summarise(pressed: readonly Pressed[]): Summary {
  const times = pressed.flatMap((one) => one.times);
  const sum = (of: (one: Pressed) => number) => pressed.reduce((total, one) => total + of(one), 0);
  const { p50, p99 } = percentilesOf(times);
  return {
    perSecond: times.length / sum((one) => one.seconds),
    p50,
    p99,
    processorMs: sum((one) => one.processorMs) / times.length,
  };
}

/** @throws where it is answered otherwise. */
function ask(agent: Agent, { method, url, headers, body, status }: Asking): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asked = request(url, { agent, method, headers }, (answer) => {
    answer.resume();
    answer.once('end', () => {
      if (answer.statusCode === status) resolve();
      else reject(new Error(`${method} ${url} answered ${answer.statusCode}`));
    });
  });
  asked.once('error', reject);
  asked.end(body);
  return promise;
}
