import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { emptyOutbox, useOutbox } from '#web/lib/outbox.ts';
import { signOut } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** What waits is neither lost nor left for the next person on this phone without its writer's word. */
export function LogOutDialog({ onStay }: { onStay: () => void }) {
  const { t } = useTranslation('common');
  const posts = useOutbox();
  const isEmpty = posts.length === 0;
  // By its writer, or because all was sent meanwhile.
  useEffect(() => {
    if (isEmpty) signOut();
  }, [isEmpty]);

  return (
    <Dialog title={t('logOutTitle', { count: posts.length })} onClose={onStay}>
      <ul className="grid gap-1">
        {posts.map(({ idempotencyKey, input }) => (
          <li key={idempotencyKey} dir="auto" className="wrap-anywhere font-semibold">
            {input.title}
          </li>
        ))}
      </ul>
      <p>{t('logOutText')}</p>
      <div className="grid gap-2">
        <Button onClick={onStay}>{t('stayLoggedIn')}</Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={emptyOutbox}>
          {t('logOutAndDiscard')}
        </Button>
      </div>
    </Dialog>
  );
}
