import { type ComponentType, useEffect, useState } from 'react';
import { loadScreenTexts } from '#web/lib/i18n.ts';
import { useSession } from '#web/lib/session.ts';

const RETRY_MS = 15_000;

/** Where live notices appear. Their code comes after the page's own, and never for a visitor. */
export function LiveSlot() {
  const isSignedIn = useSession() !== null;
  const [Live, setLive] = useState<ComponentType | null>(null);

  useEffect(() => {
    if (!isSignedIn || Live) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const load = () =>
      void Promise.all([import('#web/notices/live-notices.tsx'), loadScreenTexts()]).then(
        ([{ LiveNotices }]) => !isGone && setLive(() => LiveNotices),
        () => {
          if (!isGone) timer = setTimeout(load, RETRY_MS);
        },
      );
    load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isSignedIn, Live]);

  return Live && <Live />;
}
