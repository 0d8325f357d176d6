const CHECK_MS = 500;

/** Aborts when this script should stop: on Ctrl-C, a closed terminal, a plain kill, or the end of the npm that started it. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  if (process.env.npm_lifecycle_event) abortWithParent(stop);
  return controller.signal;
}

/** npm sends signals to the shell between it and this script, and the shell dies without forwarding them. */
function abortWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, CHECK_MS).unref();
}
