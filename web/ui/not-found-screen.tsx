import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function NotFoundScreen() {
  const { t } = useTranslation('common');
  return (
    <EmptyState icon="search" title={t('notFoundTitle')} text={t('notFoundText')} isPage>
      <ButtonLink to={paths.home}>{t('goHome')}</ButtonLink>
    </EmptyState>
  );
}
