import { useTranslation } from 'react-i18next';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

/** Where a part of the screen should be whose code could not be loaded. */
export function PartNotLoaded({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  const { t } = useTranslation('common');
  return (
    <Banner tone="error">
      {t('notLoaded')}{' '}
      <Button look="quiet" isBusy={isLoading} onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </Banner>
  );
}
