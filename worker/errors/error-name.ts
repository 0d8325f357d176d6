/** What a log may say of something thrown: its kind, never its message, which may hold what people wrote. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
