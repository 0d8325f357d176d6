import { useEffect, useRef } from 'react';

/** Calls after a time, of which only what passes unheld counts. */
export function useHeldTimeout(call: () => void, afterMs: number, isHeld: boolean): void {
  const leftMs = useRef(afterMs);
  useEffect(() => {
    if (isHeld) return;
    const startedAt = performance.now();
    const timer = setTimeout(call, leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - startedAt;
    };
  }, [call, isHeld]);
}
