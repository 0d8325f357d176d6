import { expect, test } from 'vitest';
import { deployApp } from '#scripts/wrangler/deploy-app.ts';

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

test('the first deployment passes the file of secrets to wrangler', async () => {
  const { steps } = await deploy({ secretsFile: 'secrets.env' });
  expect(steps[1]).toBe('deploy --var APP_ORIGIN:https://patikana.test --secrets-file secrets.env --env=staging');
});

test.each([
  ['migration', MIGRATE, [MIGRATE]],
  ['deployment', DEPLOY, [MIGRATE, DEPLOY]],
])('a failed %s ends the deployment without a rollback', async (_step, failing, steps) => {
  const result = await deploy({ failing: [failing] });
  expect(result).toEqual({ steps, error: expect.stringContaining('failed') });
});

test('a failed smoke test rolls the Worker back and reports the problems', async () => {
  const { steps, error } = await deploy({ problems: ['/ answers 500.'] });
  expect(steps).toEqual([MIGRATE, DEPLOY, 'smoke test', ROLL_BACK]);
  expect(error).toContain('/ answers 500.');
  expect(error).toContain('The previous version is live again.');
});

test('a rollback that fails is reported with the problems', async () => {
  const { error } = await deploy({ problems: ['/ answers 500.'], failing: [ROLL_BACK] });
  expect(error).toContain('/ answers 500.');
  expect(error).toContain('the new version is live');
});
