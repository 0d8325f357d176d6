import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const PAGE = readFileSync(join(PROJECT_ROOT, 'docs/security.md'), 'utf8');

test('what docs/security.md is held by is there', () => {
  const tests = [...PAGE.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((name) => globSync(`tests/*/${name}`, { cwd: PROJECT_ROOT }).length === 0)).toEqual([]);
  const files = [...PAGE.matchAll(/`((?:worker|contract|docs)\/[\w/.-]+)`/g)].map(([, path = '']) => path);
  expect(files.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
});

test('every requirement is met, met in part, or not', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| V'));
  expect(rows.map((row) => row.split(' | ')[1]).filter((met) => !/^(yes|partly|no)$/.test(met ?? ''))).toEqual([]);
});
