import { type FocusEvent, useCallback, useRef, useState, useSyncExternalStore } from 'react';

/**
 * Whether what goes by itself has to wait: while it is pointed at or has the focus, and as long as the page is hidden.
 * @returns with `release` what a part of it calls before it goes, for it takes the pointer along, and no event tells of
 *   that; a focus that was on it goes back to where it came from.
 */
export function useHold() {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isHidden = useSyncExternalStore(onVisibilityChange, () => document.hidden);
  const cameFrom = useRef<EventTarget | null>(null);

  const release = useCallback((part: Element | null) => {
    setIsPointedAt(false);
    if (!part?.contains(document.activeElement)) return;
    setHasFocus(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  }, []);

  return {
    isHeld: isPointedAt || hasFocus || isHidden,
    release,
    holders: {
      // A finger counts as long as it is down.
      onPointerOver: () => setIsPointedAt(true),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus({ currentTarget, relatedTarget }: FocusEvent) {
        setHasFocus(true);
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
      },
      onBlur: () => setHasFocus(false),
    },
  };
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
