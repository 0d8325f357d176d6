import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { rotate, type SessionSecrets } from '#scripts/rotate-key.ts';
import { deployApp } from '#scripts/wrangler/run-wrangler.ts';
import { signSessionToken, toSessionKeys, verifySessionToken } from '#worker/identity/session-token.ts';

const MIGRATE = 'd1 migrations apply DB --remote --env=staging';
const DEPLOY = 'deploy --var APP_ORIGIN:https://patikana.test --env=staging';
const ROLL_BACK = 'rollback --yes --env=staging';

type Options = { failing?: string[]; problems?: string[]; secretsFile?: string };

/** @returns the steps in their order, and the error that ended the deployment. */
async function deploy({ failing = [], problems = [], ...options }: Options = {}) {
  const steps: string[] = [];
  const error = await deployApp(
    {
      async wrangler(args) {
        steps.push(args.join(' '));
        if (failing.includes(args.join(' '))) throw new Error(`${args[0]} failed`);
      },
      async smoke() {
        steps.push('smoke test');
        return problems;
      },
    },
    { environment: '--env=staging', url: 'https://patikana.test/feed', ...options },
  ).catch((reason: Error) => reason.message);
  return { steps, error };
}

test('a deployment migrates the database, deploys the Worker and tests the app', async () => {
  expect(await deploy()).toEqual({ steps: [MIGRATE, DEPLOY, 'smoke test'] });
});

test('a deployment that is given a file of secrets passes the file to the command “wrangler deploy”', async () => {
  const { steps } = await deploy({ secretsFile: 'secrets.env' });
  expect(steps[1]).toBe('deploy --var APP_ORIGIN:https://patikana.test --secrets-file secrets.env --env=staging');
});

test.each([
  ['migration', MIGRATE, [MIGRATE]],
  ['deployment', DEPLOY, [MIGRATE, DEPLOY]],
])(
  'if the step “%s” fails, the deployment script stops and does not restore the previous version of the Worker',
  async (_step, failing, steps) => {
    const result = await deploy({ failing: [failing] });
    expect(result).toEqual({ steps, error: expect.stringContaining('failed') });
  },
);

test('if the smoke test fails, the deployment script restores the previous version of the Worker and reports the problems', async () => {
  const { steps, error } = await deploy({ problems: ['/ answers 500.'] });
  expect(steps).toEqual([MIGRATE, DEPLOY, 'smoke test', ROLL_BACK]);
  expect(error).toContain('/ answers 500.');
  expect(error).toContain('The previous version is live again.');
});

test('if the smoke test fails and then the rollback fails, the deployment script reports both failures', async () => {
  const { error } = await deploy({ problems: ['/ answers 500.'], failing: [ROLL_BACK] });
  expect(error).toContain('/ answers 500.');
  expect(error).toContain('the new version is live');
});

const workflows = globSync('.github/workflows/*.yml', { cwd: PROJECT_ROOT }).map((path) => ({
  path,
  text: readFileSync(join(PROJECT_ROOT, path), 'utf8'),
}));

/** Splits a workflow's text before each step. The first part is the text before the first step. */
function splitSteps(text: string): string[] {
  return text.split(/^ {6}- /m);
}

test.each(workflows)('the workflow $path pins every action by its commit hash', ({ text }) => {
  const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^\.\/|@[\da-f]{40}$/);
});

test.each(workflows)(
  'the workflow $path never calls npm install, which would run install scripts that are not allowed',
  ({ text }) => {
    expect(text).not.toMatch(/npm (?:ci|i|install)\b/);
  },
);

test('only the workflow step that deploys has the deployment token', () => {
  const withToken = workflows.flatMap(({ text }) => splitSteps(text)).filter((step) => step.includes('secrets.'));
  expect(withToken).toHaveLength(1);
  expect(withToken[0]).toContain('run: node scripts/run.mjs scripts/deploy.ts');
});

const OLD = 'x'.repeat(43);
const FILE = `# Ours\nJWT_SECRET=${OLD}\nCODE_KEY=abc\n`;
const NOW = new Date('2026-11-22T09:00:00Z');

const keysOf = ({ JWT_SECRET, JWT_SECRET_PREVIOUS }: SessionSecrets) => toSessionKeys(JWT_SECRET, JWT_SECRET_PREVIOUS);

test('a rotation of the session key signs nobody out, even if the Worker’s locations get the new key at different times', async () => {
  const { steps } = rotate(FILE, NOW);
  const moments = [toSessionKeys(OLD, null), ...steps.map(keysOf)];
  for (const [index, signing] of moments.entries()) {
    const token = await signSessionToken(signing, { userId: 'asha', tokenVersion: 1, sessionId: crypto.randomUUID() });
    // At any moment, the locations of the Worker are at most one step of the rotation apart.
    for (const checking of moments.slice(Math.max(index - 1, 0), index + 2))
      expect(await verifySessionToken(checking, token)).toMatchObject({ userId: 'asha' });
  }
  const after = await signSessionToken(keysOf(steps[1]), {
    userId: 'asha',
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  expect(await verifySessionToken(toSessionKeys(OLD, null), after)).toBeNull();
});

test('a rotation of the session key writes the new key, the previous key, and the day on which to remove the previous key', () => {
  const { text, steps } = rotate(FILE, NOW, () => 'the-new-one');
  expect(text).toBe(`# Ours
JWT_SECRET=the-new-one
# JWT_SECRET_PREVIOUS has signed nothing since 2026-11-22, and may go after 2026-12-22.
JWT_SECRET_PREVIOUS=${OLD}
CODE_KEY=abc
`);
  expect(steps[1]).toEqual({ JWT_SECRET: 'the-new-one', JWT_SECRET_PREVIOUS: OLD });
});

test('a second rotation of the session key is refused while session tokens signed with the first key are still valid', () => {
  const { text } = rotate(FILE, NOW);
  expect(() => rotate(text, new Date('2026-12-21T09:00:00Z'))).toThrow('until 2026-12-22');
  expect(rotate(text, new Date('2026-12-23T09:00:00Z'), () => 'third').text.match(/JWT_SECRET/g)).toHaveLength(3);
});

test('a rotation of the session key is refused if the file of secrets lacks JWT_SECRET', () => {
  expect(() => rotate('CODE_KEY=abc\n', NOW)).toThrow('no JWT_SECRET');
});
