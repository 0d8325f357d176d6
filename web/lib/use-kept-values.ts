import { useEffect, useRef } from 'react';

/** Keeps the values whenever they change, but not those that the form starts with. */
export function useKeptValues<Values>(values: Values, keep: (values: Values) => void): void {
  const first = useRef(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the values decide
  useEffect(() => {
    if (values !== first.current) keep(values);
  }, [values]);
}
