import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

export type FailedQuery = { isFetching: boolean; refetch: () => Promise<unknown> };

/**
 * What stands where something could not be loaded, with the way to try again.
 * @param query what failed.
 * @param isToasted whether a toast says it first; then it is said here when that has gone.
 */
export function LoadFailure({
  icon = 'offline',
  query,
  isToasted = false,
  ...rest
}: {
  icon?: IconName;
  title: string;
  text?: string;
  isPage?: boolean;
  query: FailedQuery;
  isToasted?: boolean;
}) {
  const { t } = useTranslation('common');
  return (
    <div role={isToasted ? undefined : 'alert'} className={isToasted ? 'after-toast' : ''}>
      <EmptyState icon={icon} {...rest}>
        <Button look="secondary" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t('tryAgain')}
        </Button>
      </EmptyState>
    </div>
  );
}
