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
