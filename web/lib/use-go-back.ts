import { useNavigate } from 'react-router';

/** @returns a function that goes back to the previous screen, or to `fallback` if the visit began here. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  // The router's own index, which a replaced entry keeps.
  return () => void (window.history.state?.idx > 0 ? navigate(-1) : navigate(fallback, { replace: true }));
}
