import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** node:util's parseArgs, with its error as a single line. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UserError(`${message.split(/\. |\n/)[0]}.`);
  }
}

/** An error that the user can fix: printed as a single line, without a stack. */
export class UserError extends Error {}

/** Runs a script's main function. A UserError ends it with its message and exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

/** `EADDRINUSE`, `EACCES` and the like; empty for anything but a system error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The checkout this script belongs to, whatever folder it was started from. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the module is the script that Node was started with. `import.meta.main` exists only from Node 24.2 on. */
export function isMain({ filename }: ImportMeta): boolean {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;
}
