import { useSyncExternalStore } from 'react';

/** A value outside React. `none` is the initial value, which the prerendered pages show. */
type Readable<Value> = { none: Value; get: () => Value; on: (listener: () => void) => () => void };

/** Makes an event. `on` returns the function that removes the listener. */
export function createEvent<About extends unknown[] = []>() {
  const listeners = new Set<(...about: About) => void>();
  return {
    emit(...about: About): void {
      for (const listener of [...listeners]) listener(...about);
    },
    on(listener: (...about: About) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Makes a store: a value whose listeners are called when it is set. */
export function createStore<Value>(none: Value) {
  let value = none;
  const { emit, on } = createEvent();
  return {
    none,
    on,
    get: () => value,
    set(next: Value): void {
      value = next;
      emit();
    },
  };
}

/**
 * Returns the store's value, or the part of it that `pick` selects. The component renders again when the returned value
 * changes.
 */
export function useStore<Value, Picked = Value>(
  { none, get, on }: Readable<Value>,
  pick = (value: Value) => value as unknown as Picked,
): Picked {
  return useSyncExternalStore(
    on,
    () => pick(get()),
    () => pick(none),
  );
}
