import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { tryApp } from './smoke/try-app.ts';

// npm run smoke -- --remote URL [--override 'NAME="VERSION"']: whether a deployed app does what every visit begins with.
// SMOKE_PASSWORD=… npm run smoke -- --remote URL --email EMAIL: sends the test pictures to it besides, as that person, and takes
// them back. The platform's own Images service is not what runs on this machine.

const USAGE = 'Usage: [SMOKE_PASSWORD=…] npm run smoke -- --remote URL [--override \'NAME="VERSION"\'] [--email EMAIL]';

await runScript(async () => {
  const options = { remote: { type: 'string' }, override: { type: 'string' }, email: { type: 'string' } } as const;
  const { values } = parseOptions({ args: process.argv.slice(2), options });
  const { SMOKE_PASSWORD: password } = process.env;
  if (!values.remote || (values.email && !password)) throw new UserError(USAGE);
  const problems = await tryApp(values.remote, values.override);
  if (values.email && password) problems.push(...(await trySending(values.remote, values.email, password)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) throw new UserError(`${problems.length} things are not as they should be.`);
  console.log(`All is as it should be at ${values.remote}.`);
});

/** With what it needs loaded where it is needed: the pictures bring a library of the local platform. */
async function trySending(origin: string, email: string, password: string): Promise<string[]> {
  const { tryPictures } = await import('./smoke/try-pictures.ts');
  return tryPictures(origin, email, password);
}
