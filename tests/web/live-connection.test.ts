import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveConnection } from '#web/notices/live-connection.ts';

let asked: number;
let connection: LiveConnection | undefined;

beforeEach(() => {
  asked = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  connection?.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that has no ticket to give. */
function refuse(headers: Record<string, string>): void {
  vi.stubGlobal('fetch', async () => {
    asked++;
    return Response.json({ code: 'unavailable', detail: '…' }, { status: 503, headers });
  });
  connection = new LiveConnection(
    'asha',
    () => {},
    () => {},
  );
}

test('whoever is told when to come again does, and not sooner for looking at the page', async () => {
  refuse({ 'Retry-After': '20' });
  await vi.advanceTimersByTimeAsync(19_000);
  window.dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(900);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toBe(2);
});

test('without such a word it is 5 seconds, or at once when the network is back', async () => {
  refuse({});
  await vi.advanceTimersByTimeAsync(4_900);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toBe(2);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(3);
});
