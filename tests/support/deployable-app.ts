import { createServer } from 'node:http';

export type DeployableApp = {
  origin: string;
  /** Puts another version of the service worker in place, as a deploy does. */
  deploy(): void;
  /** Takes away the files whose address fits: as after a deploy, they are answered with the page. */
  remove(files: RegExp): void;
  close(): Promise<void>;
};

/** The running app behind a server of its own, which can pretend that a new version was deployed. */
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
