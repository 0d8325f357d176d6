import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wraps node:util's parseArgs: an invalid argument becomes a UserError. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UserError(`${message.split(/\. |\n/)[0]}.`);
  }
}

/** An error that the user can fix. Printed as one line, without a stack. */
export class UserError extends Error {}

/** Runs a script's main function. Prints a UserError's message and exits with code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

/** Returns the code of a system error, such as `EADDRINUSE` or `EACCES`; empty for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The root folder of the checkout, independent of the current folder. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns whether Node was started with the module of the given `import.meta`. `import.meta.main` exists only from Node
 * 24.2 on.
 */
export function isMain({ filename }: ImportMeta): boolean {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;
}
