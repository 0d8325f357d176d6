import { rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { runOneAtATime } from './run-one-at-a-time.ts';

const SOURCES = ['contract', 'web'];

/**
 * Builds the web app into the folder, and again whenever its sources change. Returns after the first build.
 * Each is a whole build: Vite's own watch mode keeps the module that starts the Web Worker for photos, but does not emit
 * the worker again, and fails from the second build on.
 * @throws if the first build fails; later failures are printed.
 */
export async function watchWeb(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  await buildInto(outDir);
  const rebuild = runOneAtATime(async () => {
    const started = performance.now();
    try {
      await buildInto(outDir);
      console.log(`Web app rebuilt in ${Math.round(performance.now() - started)} ms`);
    } catch (error) {
      console.error(error);
    }
  });
  for (const folder of SOURCES) watch(join(PROJECT_ROOT, folder), { recursive: true, persistent: false }, rebuild);
}

async function buildInto(outDir: string): Promise<void> {
  await build({
    configFile: join(PROJECT_ROOT, 'vite.config.ts'),
    root: join(PROJECT_ROOT, 'web'),
    logLevel: 'error',
    // Keeps the previous build's files, which open pages, or a server that has not noticed yet, may still request.
    build: { outDir, emptyOutDir: false },
  });
}
