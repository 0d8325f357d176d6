import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

/** What stands where something could not be loaded, with the way to try again. */
export function LoadFailure({
  icon = 'offline',
  onRetry,
  ...rest
}: {
  icon?: IconName;
  title: string;
  text?: string;
  isPage?: boolean;
  onRetry: () => void;
}) {
  const { t } = useTranslation('common');
  return (
    <EmptyState icon={icon} {...rest}>
      <Button look="secondary" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </EmptyState>
  );
}
