import { parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { tryApp } from './smoke/try-app.ts';

// npm run smoke -- --remote URL: checks the requests with which every visit to a deployed app begins.
// SMOKE_PASSWORD=… npm run smoke -- --remote URL --email EMAIL: also uploads the test pictures as that user and deletes
// them, because the platform's Images service differs from the local one.

const USAGE = 'Usage: [SMOKE_PASSWORD=…] npm run smoke -- --remote URL [--email EMAIL]';

await runScript(async () => {
  const options = { remote: { type: 'string' }, email: { type: 'string' } } as const;
  const { values } = parseOptions({ args: process.argv.slice(2), options });
  const { SMOKE_PASSWORD: password } = process.env;
  if (!values.remote || (values.email && !password)) throw new UserError(USAGE);
  const problems = await tryApp(values.remote);
  if (values.email && password) problems.push(...(await trySending(values.remote, values.email, password)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) throw new UserError(`${problems.length} things are not as they should be.`);
  console.log(`All is as it should be at ${values.remote}.`);
});

/** Imports the module on demand, because only tests with pictures need the image library sharp. */
async function trySending(origin: string, email: string, password: string): Promise<string[]> {
  const { tryPictures } = await import('./smoke/try-pictures.ts');
  return tryPictures(origin, email, password);
}
