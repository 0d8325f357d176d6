import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * A dialog whose state is in the address, as `?name=value`. The back button closes it, a reload keeps it open, and
 * closing it leaves no extra history entry.
 */
export function useDialogAddress(name: string, value: string) {
  const { key, search, state } = useLocation();
  const navigate = useNavigate();
  /**
   * The key of the history entry that `open` or `close` is leaving. Both functions do nothing until the router shows
   * another entry.
   */
  const [leftKey, setLeftKey] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the back button may return to the entry that was left
  useEffect(() => setLeftKey(null), [key]);

  const isOpen = leftKey !== key && new URLSearchParams(search).get(name) === value;

  function open() {
    if (isOpen || leftKey === key) return;
    setLeftKey(key);
    const params = new URLSearchParams(search);
    params.set(name, value);
    void navigate({ search: `${params}` }, { state: { ...state, isDialog: true } });
  }

  function close() {
    if (leftKey === key) return;
    setLeftKey(key);
    if (state?.isDialog) return void navigate(-1);
    const params = new URLSearchParams(search);
    params.delete(name);
    void navigate({ search: `${params}` }, { state, replace: true });
  }

  return { isOpen, open, close };
}

/** Longer than a slow typist's pause between letters, so that typing a word sends one request. */
const DEBOUNCE_MS = 400;

/**
 * The parameters to be written next, or null if the address is up to date. If two fields change at the same moment, the
 * second change is added to these parameters, because the address does not yet contain the first change.
 */
let ahead: URLSearchParams | null = null;

/**
 * The text of a search field, stored in the address, so that the user can share it and the back button restores it.
 * Written after a pause in typing, or when the user leaves the field.
 * @param name the parameter in the address.
 */
export function useTypedParam(name: string) {
  const [params, setParams] = useSearchParams();
  const settled = params.get(name) ?? '';
  const [typed, setTyped] = useState(settled);
  const written = useRef(settled);

  // Shows the address's text in the field after back, forward or a link has changed the address.
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    setTyped(settled);
  }, [settled]);

  /** Sets the given parameters of the page's address, and removes those with an empty value. */
  function write(values: Record<string, string>, replace: boolean) {
    ahead = new URLSearchParams(ahead ?? params);
    for (const [param, value] of Object.entries(values)) {
      if (value) ahead.set(param, value);
      else ahead.delete(param);
    }
    setParams(ahead, { replace, preventScrollReset: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new address, and when the screen is removed
  useEffect(() => {
    ahead = null;
    return () => {
      ahead = null;
    };
  }, [params]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `write` reads the current `params`
  useEffect(() => {
    if (typed === settled) return;
    const settle = () => {
      if (written.current === typed) return;
      written.current = typed;
      // The first letter of a search adds a history entry. Later letters change this entry, so that one step back
      // leaves the search.
      write({ [name]: typed }, settled !== '');
    };
    const timer = setTimeout(settle, DEBOUNCE_MS);
    // A user who leaves the field may leave the page next, so the address must contain the text now.
    const endings = ['pointerdown', 'focusout'];
    for (const ending of endings) window.addEventListener(ending, settle);
    return () => {
      clearTimeout(timer);
      for (const ending of endings) window.removeEventListener(ending, settle);
    };
  }, [typed, params]);

  return { params, settled, typed, setTyped, write };
}

/**
 * Goes to another screen some time after `isDone`, so that the user can read the success message.
 * @param state the navigation state for that screen.
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

/** Returns the value once it has stayed unchanged for `milliseconds`, so that typing a word sends one request. */
export function useDebounced<Value>(value: Value, milliseconds = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Returns `from` if it is an address of this app, else null. */
export function ownPath(from: unknown): string | null {
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : null;
}
