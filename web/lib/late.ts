import type { FlatNamespace } from 'i18next';
import { useEffect, useState } from 'react';
import { loadTexts } from './i18n.ts';
import { isChunkGone, reloadOnce } from './new-version.ts';
import { useRetryOnline } from './online.ts';

/** Code that loads after the page, together with the texts that it shows. */
export type Late<Part> = {
  /** Returns the code, or null until it is loaded. */
  get: () => Part | null;
  /** Loads the code. Repeats a failure until `forgetFailures`: React retries a failed render at once, indefinitely. */
  load: () => Promise<Part>;
};

/** A phone reports a network some time before anything arrives over it. */
const RETRY_MS = 5_000;

const failures = new Set<() => void>();

/** Makes late code of an `import()` and the namespaces of its texts. */
export function late<Part>(fetchPart: () => Promise<Part>, ...texts: FlatNamespace[]): Late<Part> {
  let part: Part | null = null;
  let loading: Promise<Part> | null = null;
  return {
    get: () => part,
    load() {
      loading ??= Promise.all([fetchPart(), loadTexts(...texts)]).then(
        ([loaded]) => (part = loaded),
        (error: unknown) => {
          failures.add(() => {
            loading = null;
          });
          throw error;
        },
      );
      return loading;
    },
  };
}

/** Lets everything that could not be loaded be tried again. */
export function forgetFailures(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * Loads late code for a component. After a failure it tries again when the network returns, and every few seconds
 * while there is a network.
 * @param isWanted whether to load the code; `Part` is null while it is false.
 * @param isAsked whether the user asked for the part. Then the page reloads once if a deployment replaced the file.
 */
export function useLate<Part>(part: Late<Part>, { isWanted = true, isAsked = false } = {}) {
  const [tries, setTries] = useState(0);
  const [lastEnded, setLastEnded] = useState(-1);
  const retry = () => setTries(tries + 1);
  const Part = isWanted ? part.get() : null;
  const isMissing = isWanted && Part === null;
  const hasFailed = isMissing && lastEnded >= 0;
  useRetryOnline(hasFailed, retry);

  useEffect(() => {
    if (!isMissing) return setLastEnded(-1);
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => !isGone && setLastEnded(tries);
    forgetFailures();
    part.load().then(end, (error: unknown) => {
      if (isAsked) void isChunkGone(error).then((isReplaced) => isReplaced && !isGone && reloadOnce());
      end();
      if (!isGone && navigator.onLine) timer = setTimeout(setTries, RETRY_MS, tries + 1);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [part, isMissing, isAsked, tries]);

  return { Part, hasFailed, isLoading: isMissing && lastEnded < tries, retry };
}
