import { useNavigate } from 'react-router';

/** @returns what goes back to where one came from, or to `fallback` where the visit began here. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  // The router's own count, in which an entry that was replaced keeps its place.
  return () => void (window.history.state?.idx > 0 ? navigate(-1) : navigate(fallback, { replace: true }));
}
