import type { ClientErrorKind } from '#contract/client-errors.ts';

/** Tells the server of what nobody caught. The code for it comes when something breaks, which for most it never does. */
export function watchErrors(): void {
  window.addEventListener('error', ({ error }) => tell('thrown', error));
  window.addEventListener('unhandledrejection', ({ reason }) => tell('rejected', reason));
}

export function tell(kind: ClientErrorKind, error: unknown): void {
  import('./report-error.ts').then(({ reportError }) => reportError(kind, error)).catch(() => {});
}
