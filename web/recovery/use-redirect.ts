import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Specification §9: long enough to read what has succeeded. */
const REDIRECT_MS = 2_000;

/** Goes there, in the place of this screen, two seconds after `isDone`. */
export function useRedirect(isDone: boolean, path: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(path, { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate, path]);
}
