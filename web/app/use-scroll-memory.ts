import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Back goes to where one was; another screen begins at its top. A reload is the browser's own matter. */
export function useScrollMemory(): void {
  const { key, pathname, hash } = useLocation();
  const direction = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const last = useRef({ key, pathname });

  // With the screen, and not after it: the way to its top would be remembered as the place of the one before.
  useLayoutEffect(() => {
    const remember = () => positions.current.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    const before = last.current;
    last.current = { key, pathname };
    if (before.key === key) return;
    if (direction === 'POP') window.scrollTo(0, positions.current.get(key) ?? 0);
    else if (before.pathname !== pathname && hash === '') window.scrollTo(0, 0);
    // The same screen stays where it is, and nothing tells of that.
    else positions.current.set(key, window.scrollY);
  }, [key, pathname, hash, direction]);
}
