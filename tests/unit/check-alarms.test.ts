import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { findAlarmProblems } from '#scripts/lint/check-alarms.ts';

const DOCUMENT = readFileSync(join(PROJECT_ROOT, 'docs/operating.md'), 'utf8');

test('every alarm has a row that says what to do, and every row is an alarm', () => {
  expect(findAlarmProblems(DOCUMENT)).toEqual([]);
});

test('an alarm without a row is named, and a row of what is none', () => {
  const document = DOCUMENT.replace('| `sweep_failed` ● |', '| `sweep_late` ● |').replaceAll('` ● |', '` |');
  expect(findAlarmProblems(document)).toEqual([
    'docs/operating.md: the alarm sweep_failed has no row.',
    'docs/operating.md: sweep_late is no alarm.',
  ]);
});
