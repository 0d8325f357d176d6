import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';

/** Notices come one after the other, never on top of each other. */
export function MoreWaiting({ count, onNext }: { count: number; onNext: () => void }) {
  const { t } = useTranslation('notices');
  if (count === 0) return null;
  return (
    <div className="flex items-center justify-between gap-2 border-line border-t pt-3">
      <p className="text-muted text-sm" role="status">
        {t('moreWaiting', { count })}
      </p>
      <Button look="quiet" className="shrink-0" onClick={onNext}>
        {t('next')}
      </Button>
    </div>
  );
}
