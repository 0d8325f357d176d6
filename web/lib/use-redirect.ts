import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Goes there, in the place of this screen, some time after `isDone`: so long that what has succeeded can be read.
 * @param state for the screen there.
 */
export function useRedirect(isDone: boolean, path: string, afterMs: number, state?: object): void {
  const navigate = useNavigate();
  const go = useEffectEvent(() => void navigate(path, { replace: true, state }));
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => go(), afterMs);
    return () => clearTimeout(timer);
  }, [isDone, afterMs]);
}
