import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** To a visitor: the way to the sign-in, and back here. */
export function LoginForClaims({ isPage = false }: { isPage?: boolean }) {
  const { t } = useTranslation(['claims', 'common']);
  const { pathname } = useLocation();
  return (
    <EmptyState icon="user" title={t('loginFirst')} isPage={isPage}>
      <ButtonLink to={paths.login} state={{ from: pathname }}>
        {t('common:login')}
      </ButtonLink>
    </EmptyState>
  );
}
