import { useEffect, useState } from 'react';
import { useLate } from '#web/lib/use-late.ts';

const loadBars = async () => (await import('#web/offline/offline-bars.tsx')).OfflineBars;

/** What nobody waits for: it comes once the page is up and the phone has nothing better to do. */
export function Background() {
  const [isIdle, setIsIdle] = useState(false);
  const Bars = useLate(loadBars, isIdle);
  useEffect(() => {
    const wait = () => whenIdle(() => setIsIdle(true));
    if (document.readyState === 'complete') return wait();
    window.addEventListener('load', wait, { once: true });
    return () => window.removeEventListener('load', wait);
  }, []);
  return Bars && <Bars />;
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 200);
}
