import { join } from 'node:path';
import { createServer, type Plugin } from 'vite';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

/** The paths that the Worker answers: the API, the sockets, and its own pages and pictures. */
const WORKERS_OWN = '^/(api|ws|p|photos)(/|\\?|$)';

type HotWeb = { host: string; port: number; stateFolder: string; worker: string };

/** Serves the web app's sources with hot replacement. Passes requests for the paths in `WORKERS_OWN` to the Worker. */
export async function serveWebHot({ host, port, stateFolder, worker }: HotWeb): Promise<void> {
  const server = await createServer({
    configFile: join(PROJECT_ROOT, 'vite.config.ts'),
    root: join(PROJECT_ROOT, 'web'),
    // In the state folder, because dev servers that run at the same time must not share a Vite cache.
    cacheDir: join(stateFolder, 'vite'),
    logLevel: 'warn',
    plugins: [chooseLanguage(), retireServiceWorker()],
    server: { host, port, strictPort: true, proxy: { [WORKERS_OWN]: { target: worker, ws: true } } },
  });
  await server.listen();
}

/** Chooses the language, as the first script of a built page does. */
function chooseLanguage(): Plugin {
  const script = `document.documentElement.lang = (localStorage.i18nextLng ?? navigator.language).split('-')[0]`;
  return {
    name: 'choose-language',
    transformIndexHtml: () => [{ tag: 'script', children: script, injectTo: 'head' }],
  };
}

/** Unregisters the service worker of an earlier visit, which would serve an old build. */
function retireServiceWorker(): Plugin {
  const script = `
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(retire()));
    async function retire() {
      await registration.unregister();
      for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url);
    }`;
  return {
    name: 'retire-service-worker',
    configureServer({ middlewares }) {
      middlewares.use('/service-worker.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(script);
      });
    },
  };
}
