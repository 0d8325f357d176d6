/** Runs it while no other tab runs what has the same name. A browser without locks runs it at once. */
export async function withLock<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? await navigator.locks.request(name, run) : await run();
}
