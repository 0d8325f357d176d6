import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

/**
 * Builds the web app into the folder, and again whenever its source changes. Returns after the first build.
 * @throws if that build fails; later failures are printed.
 */
export async function watchWeb(outDir: string): Promise<{ close(): Promise<void> }> {
  rmSync(outDir, { recursive: true, force: true });
  const watcher = await build({
    configFile: join(PROJECT_ROOT, 'vite.config.ts'),
    root: join(PROJECT_ROOT, 'web'),
    logLevel: 'error',
    // Keeps the previous build's files, which open pages, or a server that has not noticed yet, may still request.
    build: { outDir, emptyOutDir: false, watch: {} },
  });
  if (!('on' in watcher)) throw new Error('vite build did not watch');
  let isFirst = true;
  await new Promise<void>((resolve, reject) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') reject(event.error);
      if (event.code === 'END') resolve();
      if (event.code === 'BUNDLE_END') {
        if (!isFirst) console.log(`Web app rebuilt in ${event.duration} ms`);
        isFirst = false;
        void event.result.close();
      }
    });
  });
  return watcher;
}
