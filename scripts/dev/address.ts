import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, UserError } from '#scripts/command/user-error.ts';

const PAUSE_MS = 100;
const PATIENCE_MS = 5_000;

/** @throws UserError if the port cannot be listened on. */
export function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const reason = errorCode(error) === 'EADDRINUSE' ? 'is taken' : `cannot be used (${errorCode(error)})`;
      reject(new UserError(`Port ${port} ${reason}. Choose another: npm run dev -- --port ${port + 1}`));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Resolves once the address gives any response; refused or stuck connections are retried. */
export async function waitForAnswer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
      await answer.arrayBuffer();
      return;
    } catch {
      await sleep(PAUSE_MS);
    }
  }
}
