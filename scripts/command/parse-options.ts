import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from './user-error.ts';

/** node:util's parseArgs, with its error as a single line. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UserError(`${message.split(/\. |\n/)[0]}.`);
  }
}
