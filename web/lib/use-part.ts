import { useEffect, useState } from 'react';
import { isChunkGone, reloadOnce } from './stale-chunk.ts';
import { useRetryOnline } from './use-online.ts';

/** A phone says that it has a network some time before anything arrives over it. */
const RETRY_MS = 5000;

/**
 * A part of a screen whose code few visits need. What could not be loaded is asked for again when the network is back
 * and every few seconds while there is one, and a file that a deploy has replaced comes with the newer page.
 * @param isWanted what has failed is asked for again when it is wanted anew.
 */
export function usePart<Part>(load: () => Promise<Part>, isWanted = true) {
  const [Part, setPart] = useState<Part | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  const [tries, setTries] = useState(0);
  const retry = () => setTries((before) => before + 1);
  useRetryOnline(hasFailed && isWanted, retry);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    if (!isWanted) return setHasFailed(false);
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setIsLoading(true);
    load().then(
      (loaded) => !isGone && setPart(() => loaded),
      (error: unknown) => {
        void isChunkGone(error).then((isReplaced) => isReplaced && !isGone && reloadOnce());
        if (isGone) return;
        setHasFailed(true);
        setIsLoading(false);
        if (navigator.onLine) timer = setTimeout(retry, RETRY_MS);
      },
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, isWanted, tries]);

  return { Part, hasFailed, isLoading, retry };
}
