type Listener = () => void;

const listeners = new Set<Listener>();

/** What the reader wanted to do was refused, for their account has no number. */
export function noteNumberNeeded(): void {
  for (const listener of [...listeners]) listener();
}

export function onNumberNeeded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
