import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT, runScript } from '#scripts/command/command.ts';
import { DEFAULT_STATE_FOLDER, ensureDevVars, resolveStateFolder } from '#scripts/dev/options.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';

// The build command of wrangler.toml: prepares what `npx wrangler dev` needs on a clean checkout, and the web app and lexicon
// for other commands. Wrangler runs it again on every change, one run at a time, so modules are loaded only if they have
// something to do.

const WEB_SOURCES = ['{web,contract,locales,scripts/build}/**', 'vite.config.ts', 'package-lock.json', '.env*'];
/** The last file that the build writes. */
const BUILT_WEB = 'dist/service-worker.js';

await runScript(async () => {
  packLexiconOfSources();
  const isDev = process.env.WRANGLER_COMMAND === 'dev';
  // Any other command may deploy: then the web app here must not be one for development, with its example addresses.
  const isMissing = isDev ? !process.env.PATIKANA_IS_HOT && isWebOutdated() : !process.env.PATIKANA_HAS_WEB;
  if (isMissing) await buildWeb(isDev ? 'development' : 'production');
  if (isDev && !process.env.PATIKANA_HAS_STATE) await prepareState();
});

function isWebOutdated(): boolean {
  const builtAt = changedAt(BUILT_WEB);
  return globSync(WEB_SOURCES, { cwd: PROJECT_ROOT }).some((source) => changedAt(source) > builtAt);
}

/** @returns 0 if there is no such file. */
function changedAt(path: string): number {
  return statSync(join(PROJECT_ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function buildWeb(mode: 'development' | 'production'): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: join(PROJECT_ROOT, 'vite.config.ts'),
    root: join(PROJECT_ROOT, 'web'),
    logLevel: 'warn',
    mode,
    // Keeps the previous build's files, which open pages may still request. `npm run build` deletes them.
    build: { emptyOutDir: false },
  });
}

async function prepareState(): Promise<void> {
  const { prepareDatabase } = await import('#scripts/database/seed.ts');
  ensureDevVars(PROJECT_ROOT);
  await prepareDatabase(resolveStateFolder(DEFAULT_STATE_FOLDER), { isEmpty: true });
}
