import { type ComponentType, useEffect, useState } from 'react';
import { useChangesElsewhere, useSession } from '#web/lib/session.ts';

const RETRY_MS = 15_000;

/** A part of the frame that only the signed-in need. Its code comes after the page's own, and never for a visitor. */
export function SignedInPart({ load }: { load: () => Promise<ComponentType> }) {
  const isSignedIn = useSession() !== null;
  const changesElsewhere = useChangesElsewhere();
  const [Part, setPart] = useState<ComponentType | null>(null);

  useEffect(() => {
    if (!isSignedIn || Part) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const fetchPart = () =>
      void load().then(
        (loaded) => !isGone && setPart(() => loaded),
        () => {
          if (!isGone) timer = setTimeout(fetchPart, RETRY_MS);
        },
      );
    fetchPart();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isSignedIn, Part, load]);

  return Part && <Part key={changesElsewhere} />;
}
