import { type ComponentType, useState } from 'react';
import { useChangesElsewhere, useSession } from '#web/api/session.ts';
import { type Late, useLate } from '#web/lib/late.ts';

/**
 * Renders a part of the app that only signed-in users need, such as live notices. Visitors never load its code. Once
 * shown, the part stays mounted after the user signs out.
 */
export function SignedInPart({ part }: { part: Late<ComponentType> }) {
  const isSignedIn = useSession() !== null;
  const changesElsewhere = useChangesElsewhere();
  const [isShown, setIsShown] = useState(false);
  const { Part } = useLate(part, { isWanted: isSignedIn || isShown });
  if (Part && !isShown) setIsShown(true);
  return Part && <Part key={changesElsewhere} />;
}
