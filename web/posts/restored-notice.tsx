import { useTranslation } from 'react-i18next';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

/** Says that the form holds what was kept. @param isVisitors whether it was written before its writer signed in. */
export function RestoredNotice({
  isVisitors,
  isLocked,
  onStartOver,
}: {
  isVisitors: boolean;
  isLocked: boolean;
  onStartOver: () => void;
}) {
  const { t } = useTranslation('posts');
  const isReady = useSession() !== null && isVisitors;
  const startOver = (
    <button type="button" className="link py-1" disabled={isLocked} onClick={onStartOver}>
      {t('startOver')}
    </button>
  );
  if (!isReady) {
    return (
      <Banner tone="notice">
        {t('draftRestored')} {startOver}
      </Banner>
    );
  }
  return (
    <Banner tone="success">
      <p className="mb-2">{t('draftReady')}</p>
      {/* Where its writer is when they come back; the form's own button is a long way down. */}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" isBusy={isLocked}>
          {t('sendNow')}
        </Button>
        {startOver}
      </div>
    </Banner>
  );
}
