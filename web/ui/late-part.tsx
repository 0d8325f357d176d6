import type { ComponentType } from 'react';
import { useLate } from '#web/lib/use-late.ts';

/** A part that a screen does without until its code is here. */
export function LatePart({ load }: { load: () => Promise<ComponentType> }) {
  const Part = useLate(load, true);
  return Part && <Part />;
}
