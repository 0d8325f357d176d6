import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

test('the Content-Security-Policy of pages allows neither inline scripts nor eval', () => {
  const headers = readFileSync(join(PROJECT_ROOT, 'web/public/_headers'), 'utf8');
  const policy = /Content-Security-Policy: (.+)/.exec(headers)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self' SCRIPT_HASH;");
  expect(policy).not.toMatch(/unsafe|\*/);
});
