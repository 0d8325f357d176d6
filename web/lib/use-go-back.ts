import { useNavigate } from 'react-router';

/** @returns a function that goes back to the previous screen, or to `fallback` if the visit began on this screen. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  // The router stores the index of the current history entry in `idx`. At 0 there is no previous screen of the app.
  return () => void (window.history.state?.idx > 0 ? navigate(-1) : navigate(fallback, { replace: true }));
}
