import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { digest, type Mutant } from './choose-breakages.ts';

/** The copy of the working tree in which things are broken; it stays, with what was learnt in it, for the next run. */
export type ScratchCopy = {
  root: string;
  verdictsFile: string;
  reachFile: string;
  reportFile: string;
  /** Of all tests. */
  testsDigest: string;
  /** Of all but the test files themselves. */
  sourcesDigest: string;
};

const TEST_FILE = /\.test\.tsx?$/;
const NO_CODE = /^(docs|\.ci)\/|\.md$|^tests\/(bench|e2e)\//;

/** Brings the copy up to the working tree as it is now, uncommitted changes included. */
export function prepareScratchCopy(projectRoot: string): ScratchCopy {
  const base = join(tmpdir(), `patikana-mutants-${digest(projectRoot).slice(0, 8)}`);
  const root = join(base, 'tree');
  const listFile = join(base, 'files.json');
  const files = listFiles(projectRoot);
  for (const old of readList(listFile)) if (!files.includes(old)) rmSync(join(root, old), { force: true });
  for (const file of files) copyChanged(join(projectRoot, file), join(root, file));
  writeFileSync(listFile, JSON.stringify(files));
  const modules = join(root, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(projectRoot, 'node_modules'), modules, 'junction');
  const digestOf = (some: string[]) => digest(some.map((file) => readFileSync(join(root, file), 'utf8')).join('\0'));
  const code = files.filter((file) => !NO_CODE.test(file));
  return {
    root,
    verdictsFile: join(base, 'verdicts.jsonl'),
    reachFile: join(base, 'reach.jsonl'),
    reportFile: join(base, 'report.json'),
    testsDigest: digestOf(code.filter((file) => file.startsWith('tests/'))),
    sourcesDigest: digestOf(code.filter((file) => !TEST_FILE.test(file))),
  };
}

/** @returns what undoes it. */
export function breakCopy({ root }: ScratchCopy, { path, start, end, replacement }: Mutant): () => void {
  const file = join(root, path);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.slice(0, start) + replacement + source.slice(end));
  return () => writeFileSync(file, source);
}

/** What git knows of or would take, and is there. */
function listFiles(projectRoot: string): string[] {
  const options = { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(projectRoot, file)));
}

function readList(listFile: string): string[] {
  return existsSync(listFile) ? (JSON.parse(readFileSync(listFile, 'utf8')) as string[]) : [];
}

/** An unchanged file keeps its time, which spares the compiler its work. */
function copyChanged(from: string, to: string): void {
  const content = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(content)) return;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, content);
}
