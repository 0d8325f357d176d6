import { unstable_DevEnv as DevServer } from 'wrangler';
import { forwardConnections } from './forward-connections.ts';

// The child process of worker-process.ts. It does what `wrangler dev` does, using wrangler's API. `wrangler dev` itself puts
// a proxy in front of the Worker which loses a request whenever it reuses a connection that was idle for five seconds, and
// this version of wrangler then exits. Here connections are forwarded directly to the Worker instead.

export type ServeOptions = {
  host: string;
  port: number;
  stateFolder: string;
  webFolder: string;
  vars: string[];
  /** The configuration of a Worker other than the app's. */
  config?: string;
  /** Replaces the Worker's entry point, for example by one that counts its queries. */
  entrypoint?: string;
};
type Reload = { proxyData: { userWorkerUrl: { hostname: string; port: string } } };

const options = JSON.parse(process.argv[2] ?? '{}') as ServeOptions;
const { host, port, stateFolder, webFolder, vars, config = 'wrangler.toml', entrypoint } = options;
const server = new DevServer();
let worker: { host: string; port: number } | null = null;
server.on('reloadComplete', ({ proxyData: { userWorkerUrl } }: Reload) => {
  worker = { host: userWorkerUrl.hostname, port: Number(userWorkerUrl.port) };
});
server.on('error', (event: unknown) => {
  console.error(event);
  process.exit(1);
});
await forwardConnections({ host, port }, () => worker);
await server.startWorker({
  config,
  ...(entrypoint !== undefined && { entrypoint }),
  assets: webFolder,
  bindings: Object.fromEntries(vars.map(toBinding)),
  // With a build command wrangler would not watch the Worker's sources.
  build: { custom: { command: '' } },
  dev: {
    server: { hostname: host, port: 0 },
    // Two copies would conflict over the debugger's port.
    inspector: false,
    remote: false,
    persist: stateFolder,
    watch: true,
    // Our Content-Security-Policy blocks its inline script.
    liveReload: false,
  },
});

/** The value may contain colons. */
function toBinding(pair: string) {
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon), { type: 'plain_text' as const, value: pair.slice(colon + 1), hidden: true }];
}
