import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import '#scripts/lexicon/register-text-modules.ts';

// npm run bench -- NAME [ARGUMENT]...: runs tests/bench/*/bench-NAME.ts with the arguments.

const FILES = globSync('tests/bench/*/bench-*.ts', { exclude: ['**/*.test.ts'] }).sort();
const nameOf = (file: string) => basename(file, '.ts').replace('bench-', '');

const [, , name] = process.argv;
const file = FILES.find((path) => nameOf(path) === name);
if (file === undefined) {
  console.error(`Usage: npm run bench -- ${FILES.map(nameOf).join('|')} [ARGUMENT]...`);
  process.exit(1);
}
// Removes the benchmark's name, because a benchmark reads its arguments from where Node puts a script's arguments.
process.argv.splice(2, 1);
await import(pathToFileURL(file).href);
