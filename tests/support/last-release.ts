import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

/** As `npm run release:keep` writes it. */
type Release = {
  commit: string;
  config: string;
  worker: Record<string, string>;
  lexicon: string;
  web: Record<string, string>;
};

export type UnpackedRelease = { config: string; web: string };

const LEXICON = 'worker/matching/lexicon/packed.txt';

/** Writes what was deployed last into a folder. @returns its wrangler.toml and its built web app. */
export function unpackLastRelease(folder: string): UnpackedRelease {
  const packed = readFileSync(join(PROJECT_ROOT, 'tests/releases/last.json.br'));
  const { config, worker, lexicon, web } = JSON.parse(brotliDecompressSync(packed).toString()) as Release;
  writeFiles(join(folder, 'worker'), {
    ...worker,
    [lexicon]: readFileSync(join(PROJECT_ROOT, LEXICON), 'utf8'),
    'wrangler.toml': config.replace(/^main = .*$/m, 'main = "index.js"'),
  });
  writeFiles(join(folder, 'web'), web);
  return { config: join(folder, 'worker/wrangler.toml'), web: join(folder, 'web') };
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
