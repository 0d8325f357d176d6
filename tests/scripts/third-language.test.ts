import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { toPseudo } from '#tests/support/pseudo-locale.ts';

const SOURCES = ['web', 'contract', 'locales', 'scripts', 'vite.config.ts', 'package.json', 'tsconfig.base.json'];
/** A text without a translation. */
const MISSING = { key: 'forgotPassword', english: 'Forgot your password?' };
/** A file of an earlier build. Like a development build, the test's build leaves this file in `dist`. */
const EARLIER_FILE = 'assets/app-of-an-earlier-build.js';
/** Words that are the same in every language. */
const NAMES = ['Patikana', 'English', 'Kiswahili', 'Pséudo'];

const project = mkdtempSync(join(tmpdir(), 'third-language-'));

function run(tool: string, ...args: string[]): void {
  execFileSync(join(project, 'node_modules/.bin', tool), args, { cwd: project, stdio: 'pipe' });
}

/** Creates a copy of the web app, and adds a third language: a folder of texts and one line of code. */
beforeAll(() => {
  for (const source of SOURCES) cpSync(join(PROJECT_ROOT, source), join(project, source), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, '.env.production'), 'VITE_SUPPORT_ADDRESS=help@patikana.test\n');
  const folder = join(project, 'locales/qx');
  cpSync(join(project, 'locales/en'), folder, { recursive: true });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const file = join(folder, name);
    const texts = toPseudo(JSON.parse(readFileSync(file, 'utf8')));
    if (name === 'accounts.json') delete texts[MISSING.key];
    writeFileSync(file, JSON.stringify(texts));
  }
  mkdirSync(join(project, 'dist/assets'), { recursive: true });
  writeFileSync(join(project, 'dist', EARLIER_FILE), '');
  const list = join(project, 'contract/language.ts');
  const line = "  qx: { name: 'Pséudo', locale: 'en-GB' },\n";
  writeFileSync(
    list,
    readFileSync(list, 'utf8').replace(/^ {2}sw: .*\n/m, (swahili) => swahili + line),
  );
});

afterAll(() => rmSync(project, { recursive: true }));

function readPage(name: string): string {
  return readFileSync(join(project, 'dist', name), 'utf8');
}

/** Returns every text of the prerendered page in a language. */
function textsOf(page: string, language: string): string[] {
  const [, rest = ''] = page.split(`<div data-prerendered="${language}"`);
  const [own = ''] = rest.split('<div data-prerendered=');
  return [...own.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
}

test('a third language needs one folder of texts and one line of code, and a missing text is shown in English', () => {
  run('vite', 'build', '--emptyOutDir', 'false');
  const page = readPage('login.html');
  const texts = textsOf(page, 'qx');
  expect(texts).toContain(toPseudo('Log in'));
  // English replaces the missing text, in the page and in the files that the app loads.
  expect(texts.filter((text) => !NAMES.includes(text) && !/^⟦.*⟧$/su.test(text))).toEqual([MISSING.english]);
  const [file = ''] = page.match(/(?<="qx":\[.*?)\/assets\/accounts-[\w-]+\.js/) ?? [];
  expect(readPage(file)).toContain(MISSING.english);
  // Each page offers the two other languages.
  expect(texts.filter((text) => NAMES.includes(text))).toEqual(['Patikana', 'English', 'Kiswahili']);
  expect(textsOf(page, 'en').filter((text) => NAMES.includes(text))).toEqual(['Patikana', 'Kiswahili', 'Pséudo']);
  expect(page).toContain(`data-qx="${toPseudo('Log in')} · Patikana"`);
  // The inline script lists the chunks of the third language, and the inline style has a rule for the third language.
  expect(page).toMatch(/"qx":\["\/assets\/common-/);
  expect(page).toContain('html[lang=qx] [data-prerendered=qx]');
}, 120_000);

test('a build with a third language contains React’s production build, not its development build', () => {
  const scripts = readdirSync(join(project, 'dist/assets')).filter((file) => file.endsWith('.js'));
  const built = scripts.map((file) => readPage(join('assets', file))).join('');
  expect(built).toContain('createRoot');
  expect(built).not.toContain('Download the React DevTools');
});

test('the service worker of a new build caches no file of an earlier build', () => {
  const script = readPage('service-worker.js');
  expect(script).toMatch(/assets\/app-[\w-]+\.js/);
  expect(script).not.toContain(EARLIER_FILE);
});

test('the prerendered pages contain the configured contact address in each language', () => {
  for (const page of ['index.html', 'privacy.html', 'terms.html'])
    expect(readPage(page).split('href="mailto:help@patikana.test"')).toHaveLength(4);
});

test('the type checker accepts a third language that adds only one folder of texts and one line of code', () => {
  run('tsc', '-b', 'web');
}, 240_000);
