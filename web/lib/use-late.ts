import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part whose code comes once it is wanted; null until it is here. What cannot be had is asked for again when the
 * network is back.
 * @param onMissing is told when it cannot.
 */
export function useLate<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onMissing?: () => void,
): ComponentType<Props> | null {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const isMissing = isWanted && Part === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever is told may be another with every render
  useEffect(() => {
    if (!isMissing) return;
    const ask = () => load().then((loaded) => setPart(() => loaded), onMissing);
    void ask();
    window.addEventListener('online', ask);
    return () => window.removeEventListener('online', ask);
  }, [load, isMissing]);
  return Part;
}
