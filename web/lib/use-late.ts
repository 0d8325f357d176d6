import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part that is done without until its code is here, null till then. What cannot be had is asked for again when the
 * network is back.
 */
export function useLate<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
): ComponentType<Props> | null {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const isMissing = isWanted && Part === null;
  useEffect(() => {
    if (!isMissing) return;
    const ask = () =>
      load()
        .then((loaded) => setPart(() => loaded))
        .catch(() => {});
    void ask();
    window.addEventListener('online', ask);
    return () => window.removeEventListener('online', ask);
  }, [load, isMissing]);
  return Part;
}
