import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '#contract/error-codes.ts';
import { FIELD_MESSAGES } from '#contract/field-messages.ts';
import { LANGUAGES } from '#contract/language.ts';
import fields from '#locales/en/fields.json';
import errors from '#locales/en/outside/errors.json';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const LOCALES = join(PROJECT_ROOT, 'locales');

/** The files of a language, such as `posts.json` and `outside/email.json`. */
function filesOf(language: string): string[] {
  const names = readdirSync(join(LOCALES, language), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.\w+$/.test(name)).sort();
}

/** Returns the placeholders, regardless of their number and order. */
function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{[^}]*\}/g) ?? [])].sort();
}

function expectAlike(english: Record<string, string>, swahili: Record<string, string>, where: string) {
  expect(Object.keys(swahili).sort(), where).toEqual(Object.keys(english).sort());
  for (const [key, sentence] of Object.entries(english)) {
    expect(sentence.trim(), `${where}: ${key}`).toBeTruthy();
    expect(swahili[key]?.trim(), `${where}: ${key}`).toBeTruthy();
    expect(placeholders(swahili[key] ?? ''), `${where}: ${key}`).toEqual(placeholders(sentence));
  }
}

/** The sentences of a file by their full key, such as `reasons.colour`. */
function flatten(texts: object, prefix = ''): Record<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(flatten(value, `${prefix}${key}.`))
      : [[`${prefix}${key}`, String(value)]],
  );
  return Object.fromEntries(entries);
}

test('the keys of errors.json are exactly the error codes, and the keys of fields.json exactly those in FIELD_MESSAGES', () => {
  expect(Object.keys(errors).sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  expect(Object.keys(fields).sort()).toEqual([...FIELD_MESSAGES].sort());
});

test('the text files of all languages have the same keys, with the same placeholders', () => {
  const folders = readdirSync(LOCALES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...LANGUAGES].sort());
  for (const language of LANGUAGES) {
    expect(filesOf(language)).toEqual(filesOf('en'));
    for (const file of filesOf('en').filter((name) => name.endsWith('.json'))) {
      const read = (from: string) => flatten(JSON.parse(readFileSync(join(LOCALES, from, file), 'utf8')));
      expectAlike(read('en'), read(language), file);
    }
  }
});

test('every file of UI texts is loaded by a module', () => {
  const sources = globSync('{web,worker,scripts/build}/**/*.{ts,tsx}', { cwd: PROJECT_ROOT });
  const code = sources.map((name) => readFileSync(join(PROJECT_ROOT, name), 'utf8')).join('\n');
  // For the web app an import in web/lib/i18next.d.ts is enough: the app loads every namespace of that file.
  for (const name of filesOf('en'))
    expect([name, code.includes(`/${name}'`) || code.includes(`/${name}\``)]).toEqual([name, true]);
});

test.each([
  ['namba', 'nambari', /nambari/i],
  ['mwanachama', 'mwanajumuiya', /wanajumuiya/i],
])('the Swahili texts use the word “%s”, and never “%s”', (_word, _other, never) => {
  for (const name of filesOf('sw')) expect(readFileSync(join(LOCALES, 'sw', name), 'utf8'), name).not.toMatch(never);
});

/** The Worker's files that match the pattern. */
function filesWith(pattern: RegExp): string[] {
  const files = readdirSync(join(PROJECT_ROOT, 'worker'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && pattern.test(readFileSync(join(PROJECT_ROOT, 'worker', name), 'utf8')))
    .sort();
}

test('only http/context.ts calls waitUntil, because this file also logs failures of the background work', () => {
  expect(filesWith(/\bwaitUntil\(/)).toEqual([join('http', 'context.ts')]);
});

test('only http/stop-floods.ts calls the platform’s rate limiters', () => {
  expect(filesWith(/\.limit\(\{ key/)).toEqual([join('http', 'stop-floods.ts')]);
});

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

/** Lists the files and folders that a Markdown page names in backticks or links to. */
function filesIn(text: string, folder = 'docs'): string[] {
  const codes = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code);
  const links = [...text.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => join(folder, link));
  return [...codes.filter((code) => !PATTERN.test(code) && (FOLDER.test(code) || FILE.test(code))), ...links];
}

test.each(PAGES)('the documentation page %s names only files and commands that exist', (page) => {
  const text = read(page);
  expect(filesIn(text, dirname(page)).filter((name) => find(name) === null)).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});
