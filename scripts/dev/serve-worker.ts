import { unstable_DevEnv as DevServer } from 'wrangler';
import { forwardConnections } from './forward-connections.ts';

// The child process of worker-process.ts: what `wrangler dev` does with its command line, by wrangler's own parts.
// They are used directly because the proxy that they keep in front of the Worker loses a request whenever it reuses
// a connection that idled for five seconds, and `wrangler dev` of this version then ends. The address is served
// without that proxy instead: each connection is joined with one straight to the Worker.

export type ServeOptions = {
  host: string;
  port: number;
  stateFolder: string;
  webFolder: string;
  vars: string[];
  /** Of another Worker than the app's. */
  config?: string;
  /** What is served in the Worker's place, such as one that counts what it asks for. */
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
  // With a build command wrangler would not look after the Worker's sources by itself.
  build: { custom: { command: '' } },
  dev: {
    server: { hostname: host, port: 0 },
    // No debugger's port for two copies to fight over.
    inspector: false,
    remote: false,
    persist: stateFolder,
    watch: true,
    // Its script is inline and our Content-Security-Policy refuses it.
    liveReload: false,
  },
});

/** The value may have colons of its own. */
function toBinding(pair: string) {
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon), { type: 'plain_text' as const, value: pair.slice(colon + 1), hidden: true }];
}
