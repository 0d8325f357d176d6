import { useLocation, useNavigate } from 'react-router';

/** What the router calls the entry that a visit begins with. */
const FIRST_ENTRY = 'default';

/** @returns what goes back to where one came from, or to `fallback` where the visit began here. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return () => void (key === FIRST_ENTRY ? navigate(fallback, { replace: true }) : navigate(-1));
}
