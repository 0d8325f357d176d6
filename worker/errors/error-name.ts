/** What a log may say of something thrown: its kind, never its message, which may hold what people wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Where it was thrown: the lines of its stack without the message above them. */
export function errorFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
}
