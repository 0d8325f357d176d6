import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PostFilter } from '#web/lib/query-keys.ts';

/** Long enough for the next letter of a slow typist, so that a word costs one request. */
const DEBOUNCE_MS = 400;

/**
 * What the list is narrowed to. The address holds it, so that it can be shared and gone back to; what is being typed
 * reaches the address after a pause, or when its writer turns to something else.
 */
export function usePostFilter() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const communityCode = params.get('community_code');
  const [typed, setTyped] = useState(search);
  const written = useRef(search);

  // The address also changes without us: back, forward, a link.
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setTyped(search);
  }, [search]);

  function write(name: string, value: string, replace: boolean) {
    const change = (before: URLSearchParams) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    };
    setParams(change, { replace, preventScrollReset: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `write` changes the address as it is since `params`
  useEffect(() => {
    if (typed === search) return;
    const settle = () => {
      if (written.current === typed) return;
      written.current = typed;
      // Starting a search is a step to go back over, each further letter is not.
      write('search', typed, search !== '');
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

  return {
    filter: { search, communityCode } satisfies PostFilter,
    typed,
    setTyped,
    setCommunityCode: (code: string | null) => write('community_code', code ?? '', false),
  };
}
