import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT_ROOT });
const FOLDER = /^(\.ci|contract|docs|durable|locales|migrations|scripts|tests|web|worker)\//;
const FILE = /^[\w./-]+\.(md|mjs|toml|ts|tsx)$/;
/** Matches a pattern for several files: `worker/<noun>`, `locales/{en,sw}`. */
const PATTERN = /[<{*]/;
const SOURCES = globSync('{.ci,contract,durable,locales,scripts,tests,web,worker}/**/*.*', { cwd: PROJECT_ROOT });

function read(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}

/** Returns the path of a named file, found by its path or its name. */
function find(name: string): string | null {
  if (existsSync(join(PROJECT_ROOT, name))) return name;
  return (!name.includes('/') && SOURCES.find((path) => basename(path) === name)) || null;
}

/** The files and folders that a page names as code, or links to. */
function filesIn(text: string, folder = 'docs'): string[] {
  const codes = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code);
  const links = [...text.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => join(folder, link));
  return [...codes.filter((code) => !PATTERN.test(code) && (FOLDER.test(code) || FILE.test(code))), ...links];
}

test.each(PAGES)('%s names only files and commands that exist', (page) => {
  const text = read(page);
  expect(filesIn(text, dirname(page)).filter((name) => find(name) === null)).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});
