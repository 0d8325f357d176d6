import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

/** Long enough for the next letter of a slow typist, so that a word costs one request. */
const DEBOUNCE_MS = 400;

/** What the screen's fields have written and the address does not say yet: two of them may write at once. */
let ahead: URLSearchParams | null = null;

/**
 * What is typed into a search. The address holds it, so that it can be shared and gone back to; what is being typed
 * reaches the address after a pause, or when its writer turns to something else.
 * @param name of the parameter in the address.
 */
export function useTypedParam(name: string) {
  const [params, setParams] = useSearchParams();
  const settled = params.get(name) ?? '';
  const [typed, setTyped] = useState(settled);
  const written = useRef(settled);

  // The address also changes without us: back, forward, a link.
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    setTyped(settled);
  }, [settled]);

  /** Writes parameters of the same address; empty ones are left out. */
  function write(values: Record<string, string>, replace: boolean) {
    ahead = new URLSearchParams(ahead ?? params);
    for (const [param, value] of Object.entries(values)) {
      if (value) ahead.set(param, value);
      else ahead.delete(param);
    }
    setParams(ahead, { replace, preventScrollReset: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every address that is here, and when the screen goes
  useEffect(() => {
    ahead = null;
    return () => {
      ahead = null;
    };
  }, [params]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `write` changes the address as it is since `params`
  useEffect(() => {
    if (typed === settled) return;
    const settle = () => {
      if (written.current === typed) return;
      written.current = typed;
      // Starting a search is a step to go back over, each further letter is not.
      write({ [name]: typed }, settled !== '');
    };
    const timer = setTimeout(settle, DEBOUNCE_MS);
    // Whoever lets go of the box may be about to leave the page, and comes back to what its address says.
    const endings = ['pointerdown', 'focusout'];
    for (const ending of endings) window.addEventListener(ending, settle);
    return () => {
      clearTimeout(timer);
      for (const ending of endings) window.removeEventListener(ending, settle);
    };
  }, [typed, params]);

  return { params, settled, typed, setTyped, write };
}
