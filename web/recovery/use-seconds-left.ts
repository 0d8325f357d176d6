import { useEffect, useState } from 'react';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';

const TICK_MS = 500;

/** Seconds until then, by the clock and not by counting: timers stand still while a phone sleeps. */
export function useSecondsLeft(expiresAt: number): number {
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

  // A clock that was set back must not lengthen the code's life.
  return Math.min(Math.max(Math.ceil((expiresAt - now) / 1000), 0), RESET_CODE_LIFETIME_SECONDS);
}

/** As mm:ss. */
export function formatCountdown(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
