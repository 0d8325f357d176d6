import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#contract/durations.ts';

/** The minutes until then, the current one included, counted down; 0 when it is over, or null. */
export function useMinutesLeft(time: string | null): number {
  const until = time === null ? 0 : Date.parse(time);
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const left = until - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setTicks(ticks + 1), left % MINUTE_MS || MINUTE_MS);
    return () => clearTimeout(timer);
  }, [until, ticks]);
  return Math.max(0, Math.ceil((until - Date.now()) / MINUTE_MS));
}
