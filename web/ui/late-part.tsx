import { type ComponentType, useEffect, useState } from 'react';

/** A part that a screen does without until its code is here, and for good when it cannot be had. */
export function LatePart({ load }: { load: () => Promise<ComponentType> }) {
  const [Part, setPart] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isGone = false;
    load().then(
      (loaded) => !isGone && setPart(() => loaded),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  return Part && <Part />;
}
