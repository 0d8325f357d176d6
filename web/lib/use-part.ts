import { useEffect, useState } from 'react';

/**
 * A part of a screen whose code few visits need.
 * @param isWanted what has failed is asked for again when it is wanted anew.
 */
export function usePart<Part>(load: () => Promise<Part>, isWanted = true): { Part: Part | null; hasFailed: boolean } {
  const [Part, setPart] = useState<Part | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    setHasFailed(false);
    load().then(
      (loaded) => !isGone && setPart(() => loaded),
      () => !isGone && setHasFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [load, isWanted]);
  return { Part, hasFailed };
}
