import { useEffect, useState } from 'react';

const TICK_MS = 500;

/**
 * Returns the seconds until a time. Reads the clock at each tick, because timers stop while a phone sleeps.
 * @param secondsMax the most seconds to return: a clock that is set back must not lengthen the wait.
 */
export function useSecondsLeft(expiresAt: number, secondsMax: number): number {
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
    window.addEventListener('pageshow', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      window.removeEventListener('pageshow', tick);
    };
  }, []);

  return Math.min(Math.max(Math.ceil((expiresAt - now) / 1000), 0), secondsMax);
}

/** Formats seconds as mm:ss. */
export function formatCountdown(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
