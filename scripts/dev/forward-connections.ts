import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

const RETRY_MS = 50;
const PATIENCE_MS = 60_000;

type Address = { host: string; port: number };

/**
 * Forwards every connection to the target over a connection of its own. While nobody listens there, for example between
 * two versions of the Worker, connections wait. Nagle's algorithm is off: it would hold back the rest of a response until
 * the client acknowledges the first piece, which takes 40 ms.
 */
export function forwardConnections(at: Address, target: () => Address | null): Promise<Server> {
  // Paused, so that nothing that the client sends is lost while the target is being connected.
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
    // If one end breaks off, only the other end of the same connection is closed.
    pipeline(client, worker, () => {});
    pipeline(worker, client, () => {});
  });
}

function waitToJoin(client: Socket, target: () => Address | null, deadline: number): void {
  if (Date.now() > deadline) client.destroy();
  else setTimeout(() => tryToJoin(client, target, deadline), RETRY_MS);
}
