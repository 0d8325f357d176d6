import { useEffect, useState, useSyncExternalStore } from 'react';

/** docs/product.md T4. */
const ADVANCE_MS = 4_000;
const BLUR_MS = 150;

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/**
 * Turns through `count` slides, one every 4 seconds, each change hidden in 150 ms of blur. It stands still while the
 * pointer or the focus is on it, while its reader has paused it, and for those who want no motion.
 */
export function useRotation(count: number) {
  const [index, setIndex] = useState(0);
  const [next, setNext] = useState<number | null>(null);
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const wantsNoMotion = useReducedMotion();
  const [choice, setChoice] = useState<'playing' | 'paused' | null>(null);
  const isPaused = choice === null ? wantsNoMotion : choice === 'paused';
  const isRunning = !isPaused && !isPointedAt && !hasFocus;

  useEffect(() => {
    if (!isRunning || next !== null) return;
    const timer = setTimeout(() => setNext((index + 1) % count), ADVANCE_MS - BLUR_MS);
    return () => clearTimeout(timer);
  }, [isRunning, next, index, count]);

  useEffect(() => {
    if (next === null) return;
    const timer = setTimeout(() => {
      setIndex(next);
      setNext(null);
    }, BLUR_MS);
    return () => clearTimeout(timer);
  }, [next]);

  return {
    index,
    isBlurred: next !== null,
    isPaused,
    isRunning,
    goTo: (wanted: number) => setNext(wanted === index ? null : wanted),
    togglePaused() {
      setChoice(isPaused ? 'playing' : 'paused');
      // Whoever presses Play has the pointer and the focus on it, and wants it to play all the same.
      setIsPointedAt(false);
      setHasFocus(false);
    },
    holders: {
      onPointerEnter: () => setIsPointedAt(true),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus: () => setHasFocus(true),
      onBlur: () => setHasFocus(false),
    },
  };
}

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(REDUCED_MOTION);
      query?.addEventListener('change', onChange);
      return () => query?.removeEventListener('change', onChange);
    },
    () => window.matchMedia?.(REDUCED_MOTION).matches ?? false,
    () => false,
  );
}
