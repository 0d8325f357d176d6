import { type ComponentType, useEffect, useState } from 'react';

/** What nobody waits for: it comes once the page is up and the phone has nothing better to do. */
export function Background() {
  const [Bars, setBars] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () =>
      whenIdle(
        () => void import('#web/offline/offline-bars.tsx').then(({ OfflineBars }) => setBars(() => OfflineBars)),
      );
    if (document.readyState === 'complete') return load();
    window.addEventListener('load', load, { once: true });
    return () => window.removeEventListener('load', load);
  }, []);
  return Bars && <Bars />;
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 200);
}
