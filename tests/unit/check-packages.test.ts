import { expect, test } from 'vitest';
import { findPackageProblems, type Lock, listScripted } from '#scripts/check-packages.ts';

const SOUND = { integrity: 'sha512-abc', license: 'MIT' };
const MANIFEST = { allowScripts: { workerd: true } };

function problemsOf(entry: Lock['packages'][string], path = 'node_modules/hono'): string[] {
  return findPackageProblems({ packages: { '': {}, [path]: entry } }, MANIFEST);
}

test('a package with a hash and a licence of the list passes', () => {
  expect(problemsOf(SOUND)).toEqual([]);
  expect(problemsOf({ ...SOUND, license: '(GPL-3.0 OR MIT)' })).toEqual([]);
});

test.each([
  ['no hash', { integrity: '' }, 'sha512'],
  ['a hash that can be forged', { integrity: 'sha1-abc' }, 'sha512'],
  ['a licence that nobody has looked at', { license: 'SSPL-1.0' }, 'SSPL-1.0'],
  ['a licence that is for tools alone', { license: 'MPL-2.0' }, 'MPL-2.0'],
  ['two licences, of which one is not allowed', { license: 'MIT AND GPL-3.0' }, 'GPL-3.0'],
  ['a script', { hasInstallScript: true }, 'runs a script'],
])('one with %s does not', (_what, entry, says) => {
  expect(problemsOf({ ...SOUND, ...entry })).toEqual([expect.stringContaining(says)]);
});

test('a package with a script is listed once, however many versions are installed', () => {
  const scripted = { ...SOUND, hasInstallScript: true };
  const packages = {
    '': {},
    'node_modules/b': scripted,
    'node_modules/a/node_modules/b': scripted,
    'node_modules/a': SOUND,
  };
  expect(listScripted({ packages })).toEqual(['b']);
});

test('a tool may be under a licence for tools, and one of the list may run its script, wherever it lies', () => {
  expect(problemsOf({ ...SOUND, license: 'MPL-2.0', dev: true })).toEqual([]);
  expect(problemsOf({ ...SOUND, hasInstallScript: true }, 'node_modules/wrangler/node_modules/workerd')).toEqual([]);
});

test('only one of three tools may be without a hash, and for another platform', () => {
  const tool = { dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] };
  const path = 'node_modules/@biomejs/cli-darwin-arm64';
  expect(problemsOf(tool, path)).toEqual([]);
  expect(problemsOf(tool, 'node_modules/another-tool-darwin-arm64')).toHaveLength(1);
  expect(problemsOf({ ...tool, os: ['linux'] }, path)).toHaveLength(1);
  expect(problemsOf({ ...tool, os: ['linux'], libc: ['musl'] }, path)).toEqual([]);
  expect(problemsOf({ ...tool, dev: false }, path)).toHaveLength(1);
});
