import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * A dialog with an address of its own, `?name=value` on the screen that it stands over: back closes it, a reload keeps
 * it, and closing it leaves no step behind to go back over.
 */
export function useDialogAddress(name: string, value: string) {
  const { key, search, state } = useLocation();
  const navigate = useNavigate();
  /** The entry of the history that is being left: until the next one is here, a second press does nothing. */
  const [leftKey, setLeftKey] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: back may come to the entry that was left
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
