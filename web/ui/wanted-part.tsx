import type { ReactNode } from 'react';
import { usePart } from '#web/lib/use-part.ts';
import { PartNotLoaded } from './part-not-loaded.tsx';

type Props<Part> = {
  load: () => Promise<Part>;
  /** What stands there until the code is here. */
  waiting?: ReactNode;
  children: (Part: Part) => ReactNode;
};

/**
 * A dialog or a part of a screen that somebody asks for and few visits need: its code comes with the asking. React's
 * own `lazy` would take the whole screen away where it cannot come; this says so in the part's place.
 */
export function WantedPart<Part>({ load, waiting = null, children }: Props<Part>) {
  const { Part, hasFailed, isLoading, retry } = usePart(load);
  if (Part) return children(Part);
  return hasFailed ? <PartNotLoaded isLoading={isLoading} onRetry={retry} /> : waiting;
}
