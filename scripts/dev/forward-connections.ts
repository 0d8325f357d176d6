import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

const RETRY_MS = 50;
const PATIENCE_MS = 60_000;

type Address = { host: string; port: number };

/**
 * Joins every connection at the address with one of its own to the target, byte by byte. While nobody listens at the
 * target, as between two versions of the Worker, a connection waits. Bytes do not: an answer in pieces would be held back
 * until the client acknowledges the first, which it puts off for 40 ms.
 */
export function forwardConnections(at: Address, target: () => Address | null): Promise<Server> {
  // Paused, so that what a client sends at once is not lost while its other end is being connected.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    client.on('error', () => client.destroy());
    tryToJoin(client, target, Date.now() + PATIENCE_MS);
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(at.port, at.host, () => resolve(server)));
}

function tryToJoin(client: Socket, target: () => Address | null, deadline: number): void {
  if (client.destroyed) return;
  const address = target();
  if (!address) {
    waitToJoin(client, target, deadline);
    return;
  }
  const refused = () => waitToJoin(client, target, deadline);
  const worker = connect({ ...address, noDelay: true }).once('error', refused);
  worker.once('connect', () => {
    worker.off('error', refused);
    // Whichever end breaks off takes the other with it, and nothing else.
    pipeline(client, worker, () => {});
    pipeline(worker, client, () => {});
  });
}

function waitToJoin(client: Socket, target: () => Address | null, deadline: number): void {
  if (Date.now() > deadline) client.destroy();
  else setTimeout(() => tryToJoin(client, target, deadline), RETRY_MS);
}
