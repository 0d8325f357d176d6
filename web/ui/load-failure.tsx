import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

/**
 * What stands where something could not be loaded, with the way to try again.
 * @param isToasted whether a toast says it first; then it is said here when that has gone.
 */
export function LoadFailure({
  icon = 'offline',
  onRetry,
  isRetrying,
  isToasted = false,
  ...rest
}: {
  icon?: IconName;
  title: string;
  text?: string;
  isPage?: boolean;
  onRetry: () => void;
  isRetrying: boolean;
  isToasted?: boolean;
}) {
  const { t } = useTranslation('common');
  return (
    <div role={isToasted ? undefined : 'alert'} className={isToasted ? 'after-toast' : ''}>
      <EmptyState icon={icon} {...rest}>
        <Button look="secondary" isBusy={isRetrying} onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </EmptyState>
    </div>
  );
}
