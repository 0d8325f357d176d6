import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: PROJECT_ROOT }).map((path) => ({
  path,
  text: readFileSync(join(PROJECT_ROOT, path), 'utf8'),
}));

/** The steps of a workflow, and what comes before each job's first. */
function splitSteps(text: string): string[] {
  return text.split(/^ {6}- /m);
}

test.each(workflows)('$path names every action by its hash', ({ text }) => {
  const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^\.\/|@[\da-f]{40}$/);
});

test.each(workflows)('$path installs no package with a script that is not allowed', ({ text }) => {
  expect(text).not.toMatch(/npm (?:ci|i|install)\b/);
});

test('only the step that deploys has the deployment token', () => {
  const withToken = workflows.flatMap(({ text }) => splitSteps(text)).filter((step) => step.includes('secrets.'));
  expect(withToken).toHaveLength(1);
  expect(withToken[0]).toContain('run: node scripts/run.mjs scripts/deploy.ts');
});
