import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './choose-mutants.ts';

/** @returns the root of a copy of the working tree, uncommitted changes included, which goes when this process ends. */
export function makeScratchCopy(projectRoot: string): string {
  const root = mkdtempSync(join(tmpdir(), 'patikana-mutants-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  for (const file of listFiles(projectRoot)) cpSync(join(projectRoot, file), join(root, file));
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
}

/** @param mutants at most one of a file. @returns what undoes it. */
export function breakCopy(root: string, mutants: Mutant[]): () => void {
  const mends = mutants.map(({ path, start, end, replacement }) => {
    const file = join(root, path);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.slice(0, start) + replacement + source.slice(end));
    return () => writeFileSync(file, source);
  });
  return () => {
    for (const mend of mends) mend();
  };
}

/** What git knows of or would take, and is there. */
function listFiles(projectRoot: string): string[] {
  const options = { cwd: projectRoot, encoding: 'utf8' } as const;
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(projectRoot, file)));
}
