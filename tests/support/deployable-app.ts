import { createServer } from 'node:http';

export type DeployableApp = {
  origin: string;
  /** Replaces the service worker by another version, like a deployment. */
  deploy(): void;
  /** Removes the files whose address matches: requests for them get the page, like after a deployment. */
  remove(files: RegExp): void;
  close(): Promise<void>;
};

/** The running app behind a proxy that can simulate a deployment. */
export async function startDeployableApp(appOrigin: string): Promise<DeployableApp> {
  let version = 0;
  let removed: RegExp | null = null;
  const server = createServer(async (request, response) => {
    const isRemoved = removed?.test(request.url ?? '/') ?? false;
    const answer = await fetch(`${appOrigin}${isRemoved ? '/' : request.url}`, { method: request.method ?? 'GET' });
    const isWorker = request.url === '/service-worker.js';
    const body = isWorker ? `${await answer.text()}\n// ${version}` : Buffer.from(await answer.arrayBuffer());
    const kept = ['content-type', 'cache-control', 'content-security-policy', 'etag', 'location'];
    const headers = kept.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : []));
    response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    deploy() {
      version++;
    },
    remove(files) {
      removed = files;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
