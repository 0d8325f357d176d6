import { useEffect, useState } from 'react';

/** The value as it was when it last stood still: a search asks the server once a word, not once a letter. */
export function useDebounced<Value>(value: Value, milliseconds = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
