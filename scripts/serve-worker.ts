import { unstable_DevEnv as DevServer } from 'wrangler';

// The child process of start-worker.ts: what `wrangler dev` does with its command line, by wrangler's own parts.

export type ServeOptions = { host: string; port: number; stateFolder: string; webFolder: string; vars: string[] };

const { host, port, stateFolder, webFolder, vars } = JSON.parse(process.argv[2] ?? '{}') as ServeOptions;
const server = new DevServer();
server.on('error', (event: unknown) => {
  if (isLostRequest(event)) return;
  console.error(event);
  process.exit(1);
});
await server.startWorker({
  config: 'wrangler.toml',
  assets: webFolder,
  bindings: Object.fromEntries(vars.map(toBinding)),
  dev: {
    server: { hostname: host, port },
    // No debugger's port for two copies to fight over.
    inspector: false,
    remote: false,
    persist: stateFolder,
    watch: true,
    // Its script is inline and our Content-Security-Policy refuses it.
    liveReload: false,
  },
});

/**
 * A browser that went away in the middle of a request, or a pooled connection that both ends closed at once. For
 * `wrangler dev` of this version that is the end of the whole server, with an empty message; here it is the end of the request.
 */
function isLostRequest(event: unknown): boolean {
  const { source, reason } = event as { source?: string; reason?: string };
  return source === 'ProxyController' && reason === 'Error inside ProxyWorker';
}

/** The value may have colons of its own. */
function toBinding(pair: string) {
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon), { type: 'plain_text' as const, value: pair.slice(colon + 1), hidden: true }];
}
