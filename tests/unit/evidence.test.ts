import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const PAGES = ['docs/security.md', 'docs/reliability.md', 'docs/authorisation.md'];
const FOLDER = /^(\.ci|contract|docs|durable|migrations|scripts|tests|web|worker)\//;
const FILE = /^[\w./-]+\.(md|mjs|toml|ts|tsx)$/;

function read(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}

/** Where what a page names lies: by its path, and a test by its name alone. */
function find(name: string): string | null {
  const [path] =
    name.includes('/') || !/\.test\.tsx?$/.test(name) ? [name] : globSync(`tests/*/${name}`, { cwd: PROJECT_ROOT });
  return path && existsSync(join(PROJECT_ROOT, path)) ? path : null;
}

/** The files and folders that a text names as code, or links to. */
function filesIn(text: string): string[] {
  const codes = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code);
  const links = [...text.matchAll(/\]\((?:\.\.\/)?([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    existsSync(join(PROJECT_ROOT, 'docs', link)) ? `docs/${link}` : link,
  );
  return [...codes.filter((code) => FOLDER.test(code) || FILE.test(code)), ...links];
}

describe.each(PAGES)('%s', (page) => {
  test('names files and tests that are there', () => {
    const files = filesIn(read(page));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => find(name) === null)).toEqual([]);
  });

  test('quotes titles that its tests have', () => {
    const quoted = [...read(page).matchAll(/`([\w-]+\.test\.tsx?)` \(“([^”]+)”\)/g)];
    const absent = quoted.filter(([, file = '', title = '']) => !read(find(file) ?? page).includes(title));
    expect(absent.map(([quote]) => quote)).toEqual([]);
  });
});

const REQUIREMENTS = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => line.split(' | '));

test('every requirement is met, met in part, or not', () => {
  expect(REQUIREMENTS.length).toBeGreaterThan(25);
  expect(REQUIREMENTS.filter(([, met = '']) => !/^(yes|partly|no)$/.test(met))).toEqual([]);
});

test('every requirement that is met names what meets it', () => {
  const met = REQUIREMENTS.filter(([, says]) => says === 'yes');
  expect(met.filter(([, , by = '']) => filesIn(by).length === 0).map(([name]) => name)).toEqual([]);
});

test('the policy of the pages lets no script in that is inline or made of a text', () => {
  const policy = /Content-Security-Policy: (.+)/.exec(read('web/public/_headers'))?.[1] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self' SCRIPT_HASH;");
  expect(policy).not.toMatch(/unsafe|\*/);
});
