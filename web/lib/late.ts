import type { FlatNamespace } from 'i18next';
import { useEffect, useState } from 'react';
import { loadTexts } from './i18n.ts';
import { findChunk, reloadOnce } from './new-version.ts';
import { useRetryOnline } from './online.ts';

/** Code that loads after the page, together with its texts. */
export type Late<Part> = {
  /** Returns the code, or null until it is loaded. */
  get: () => Part | null;
  /**
   * Loads the code. After a failure, every call returns the same failure until `forgetFailures` is called. Otherwise
   * React, which renders a failed part again at once, would request the code without end.
   */
  load: () => Promise<Part>;
};

/** The wait between two attempts. A phone may report a network some time before requests succeed. */
export const RETRY_MS = 5_000;

const failures = new Set<() => void>();

/**
 * Defines code that loads after the page.
 * @param fetchPart the `import()` of the code.
 * @param texts the i18n namespaces of the code's texts.
 */
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

/** Forgets every failure: the next `load` of a failed part requests its code again. */
export function forgetFailures(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * Loads the code of `part`, which the page does not load at first. After a failure, retries when the network returns,
 * and every few seconds while the phone reports a network.
 * @param isWanted whether to load the code. While it is false, `Part` is null.
 * @param isAsked whether the user has opened the part. If so, and if a deployment has replaced the part's file, reloads
 * the page once.
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
      // Reloads only if a deployment has replaced the file: while the server is unreachable, a reload would lose the
      // screen's content.
      if (isAsked) void findChunk(error).then((chunk) => chunk === 'replaced' && !isGone && reloadOnce());
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
