import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const EVIDENCE = ['docs/security.md', 'docs/reliability.md', 'docs/authorisation.md'];
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: PROJECT_ROOT })];
const FOLDER = /^(\.ci|contract|docs|durable|migrations|scripts|tests|web|worker)\//;
const FILE = /^[\w./-]+\.(md|mjs|toml|ts|tsx)$/;
/** Stands for several: `worker/<noun>`, `web/locales/{en,sw}`. */
const PATTERN = /[<{*]/;
const SOURCES = globSync('{.ci,contract,durable,scripts,tests,web,worker}/**/*.*', { cwd: PROJECT_ROOT });

function read(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}

/** Where what a page names lies: by its path, or by its name alone. */
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

test.each(PAGES)('%s names files, tests and commands that are there', (page) => {
  const text = read(page);
  expect(filesIn(text, dirname(page)).filter((name) => find(name) === null)).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

test.each(EVIDENCE)('%s quotes titles that its tests have', (page) => {
  expect(filesIn(read(page)).length).toBeGreaterThan(0);
  const quoted = [...read(page).matchAll(/`([\w-]+\.test\.tsx?)` \(“([^”]+)”\)/g)];
  const absent = quoted.filter(([, file = '', title = '']) => !read(find(file) ?? page).includes(title));
  expect(absent.map(([quote]) => quote)).toEqual([]);
});

const REQUIREMENTS = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => line.split(' | '));

test('every requirement says yes, partly or no', () => {
  expect(REQUIREMENTS.length).toBeGreaterThan(25);
  expect(REQUIREMENTS.filter(([, met = '']) => !/^(yes|partly|no)$/.test(met))).toEqual([]);
});

test('every requirement that is met names its proof', () => {
  const met = REQUIREMENTS.filter(([, says]) => says === 'yes');
  expect(met.filter(([, , by = '']) => filesIn(by).length === 0).map(([name]) => name)).toEqual([]);
});

test('the Content-Security-Policy allows neither inline scripts nor eval', () => {
  const policy = /Content-Security-Policy: (.+)/.exec(read('web/public/_headers'))?.[1] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self' SCRIPT_HASH;");
  expect(policy).not.toMatch(/unsafe|\*/);
});
