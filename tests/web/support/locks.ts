import { onTestFinished } from 'vitest';

type Lock = { name: string };
type Options = { ifAvailable?: boolean; steal?: boolean; signal?: AbortSignal };
type Work = (lock: Lock | null) => unknown;
type Held = { lock: Lock; fail: (reason: unknown) => void };
type Waiting = { name: string; start: () => void };

/** jsdom has no locks: simulates the browser's locks across tabs, as far as the app uses them. */
function makeLocks() {
  const held = new Map<string, Held>();
  let waiting: Waiting[] = [];

  function hold(name: string, work: Work): Promise<unknown> {
    return new Promise((resolve, fail) => {
      const mine: Held = { lock: { name }, fail };
      held.set(name, mine);
      Promise.resolve(mine.lock)
        .then(work)
        .then(resolve, fail)
        .finally(() => {
          if (held.get(name) === mine) letGo(name);
        });
    });
  }

  function letGo(name: string): void {
    held.delete(name);
    const next = waiting.find((one) => one.name === name);
    waiting = waiting.filter((one) => one !== next);
    next?.start();
  }

  function queue(name: string, work: Work, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const mine: Waiting = { name, start: () => hold(name, work).then(resolve, reject) };
      waiting.push(mine);
      signal?.addEventListener('abort', () => {
        waiting = waiting.filter((one) => one !== mine);
        reject(signal.reason);
      });
    });
  }

  function request(name: string, ...rest: [Work] | [Options, Work]): Promise<unknown> {
    const [options, work] = rest.length === 2 ? rest : [{} as Options, rest[0]];
    if (options.signal?.aborted) return Promise.reject(options.signal.reason);
    const holder = held.get(name);
    if (holder && options.ifAvailable) return Promise.resolve(work(null));
    if (holder && !options.steal) return queue(name, work, options.signal);
    const granted = hold(name, work);
    holder?.fail(new DOMException('Another tab has taken it.', 'AbortError'));
    return granted;
  }

  return { request };
}

/** Gives this browser locks until the end of the test. */
export function stubLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: makeLocks(), configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
}
