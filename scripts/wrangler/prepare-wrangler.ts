import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT, runScript } from '#scripts/command/command.ts';
import { DEFAULT_STATE_FOLDER, ensureDevVars, resolveStateFolder } from '#scripts/dev/options.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';

// The build command of wrangler.toml. Prepares what `npx wrangler dev` needs on a clean checkout, and builds the web
// app and the lexicon for other commands. Wrangler runs this script on every change of a file, so the script imports a
// module only if the module has work to do.

const WEB_SOURCES = ['{web,contract,locales,scripts/build}/**', 'vite.config.ts', 'package-lock.json', '.env*'];
/** The file that the web build writes last. Its time shows when the web app was built. */
const BUILT_WEB = 'dist/service-worker.js';

await runScript(async () => {
  packLexiconOfSources();
  const isDev = process.env.WRANGLER_COMMAND === 'dev';
  // Wrangler's `dev` gets a development build. Every other command may deploy, so it gets a production build: a
  // development build contains example contact addresses (`.env.development`).
  const isMissing = isDev ? !process.env.PATIKANA_IS_HOT && isWebOutdated() : !process.env.PATIKANA_HAS_WEB;
  if (isMissing) await buildWeb(isDev ? 'development' : 'production');
  if (isDev && !process.env.PATIKANA_HAS_STATE) await prepareState();
});

function isWebOutdated(): boolean {
  const builtAt = changedAt(BUILT_WEB);
  return globSync(WEB_SOURCES, { cwd: PROJECT_ROOT }).some((source) => changedAt(source) > builtAt);
}

/** Returns the Unix time of the file's last change in milliseconds; 0 if the file does not exist. */
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
    // Keeps the files of earlier builds, which open pages may still request. `npm run build` deletes them.
    build: { emptyOutDir: false },
  });
}

async function prepareState(): Promise<void> {
  const { prepareDatabase } = await import('#scripts/database/seed.ts');
  ensureDevVars(PROJECT_ROOT);
  await prepareDatabase(resolveStateFolder(DEFAULT_STATE_FOLDER), { isEmpty: true });
}
