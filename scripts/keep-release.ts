import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { PROJECT_ROOT } from './command/project-root.ts';
import { runScript } from './command/user-error.ts';
import { runWrangler } from './wrangler/run-wrangler.ts';

// npm run release:keep: after a deployment, stores what was deployed for the tests of the next release against it.

const KEPT_RELEASE = join(PROJECT_ROOT, 'tests/releases/last.json.br');
/** Everything but pictures, which do not depend on the version. */
const WEB_FILES = '**/*.{html,js,css,svg,webmanifest}';
/** Not stored, as it is most of the size: the previous version works with the current one. */
const LEXICON = /packed\.txt$/;

await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-release-'));
  try {
    await runWrangler(['deploy', '--dry-run', '--minify', '--outdir', folder, '--env=']);
    const release = {
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: PROJECT_ROOT, encoding: 'utf8' }).trim(),
      config: readFileSync(join(PROJECT_ROOT, 'wrangler.toml'), 'utf8'),
      worker: readFiles(folder, '*.{js,txt}', (name) => !LEXICON.test(name)),
      lexicon: globSync('*packed.txt', { cwd: folder })[0],
      web: {
        ...readFiles(join(PROJECT_ROOT, 'dist'), WEB_FILES),
        ...readFiles(join(PROJECT_ROOT, 'dist'), '_headers'),
      },
    };
    writeFileSync(KEPT_RELEASE, compress(JSON.stringify(release)));
    console.log(`Kept ${release.commit}: commit tests/releases.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function readFiles(folder: string, pattern: string, isKept: (name: string) => boolean = () => true) {
  const names = globSync(pattern, { cwd: folder }).filter(isKept).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function compress(text: string): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: text.length };
  return brotliCompressSync(text, { params });
}
