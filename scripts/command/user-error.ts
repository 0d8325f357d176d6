/** What the person at the keyboard can put right: printed as one line, without a stack. */
export class UserError extends Error {}

/** Runs a script's main function; a UserError ends it with its one line and exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

/** `EADDRINUSE`, `EACCES` and the like; empty for what is not a system error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
