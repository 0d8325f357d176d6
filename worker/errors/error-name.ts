/** What may be logged about an error: its name, never its message, which may contain what people wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The stack frames, without the message above them. */
export function errorFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
}
