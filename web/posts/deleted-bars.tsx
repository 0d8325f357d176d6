import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { sendDeletions, useDeletions } from './deletions.ts';

/**
 * "Deleted. Undo", a bar for each post whose deletion can still be taken back. Sent at once when the page is hidden
 * or left. First for the keyboard, and at the foot of the screen, where no toast covers it.
 * @param home where the focus goes with a bar that had it.
 */
export function DeletedBars({ home }: { home: RefObject<HTMLElement | null> }) {
  const deletions = useDeletions();
  useSendOnLeaving();
  return (
    <div role="status" className={deletions.length > 0 ? 'sticky bottom-4 z-30 order-last grid gap-2' : 'sr-only'}>
      {deletions.map(({ post, decide }) => (
        <DeletedBar key={post.id} title={post.title} home={home} onUndo={() => decide(false)} />
      ))}
    </div>
  );
}

function DeletedBar({
  title,
  home,
  onUndo,
}: {
  title: string;
  home: RefObject<HTMLElement | null>;
  onUndo: () => void;
}) {
  const { t } = useTranslation('posts');
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement)) home.current?.focus();
    };
  }, [home]);
  return (
    <div ref={bar} className="flex items-center justify-between gap-2 rounded-xl bg-ink py-1 pr-1 pl-4 text-paper">
      <p className="min-w-0 break-words">{t('deletedBar', { title })}</p>
      <Button look="secondary" className="text-ink" onClick={onUndo}>
        {t('undo')}
      </Button>
    </div>
  );
}

/** A phone may end a page that is hidden without another word. */
function useSendOnLeaving(): void {
  useEffect(() => {
    const sendWhenHidden = () => document.visibilityState === 'hidden' && sendDeletions();
    document.addEventListener('visibilitychange', sendWhenHidden);
    window.addEventListener('pagehide', sendDeletions);
    return () => {
      document.removeEventListener('visibilitychange', sendWhenHidden);
      window.removeEventListener('pagehide', sendDeletions);
      sendDeletions();
    };
  }, []);
}
