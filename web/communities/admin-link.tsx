import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/lib/me-query.ts';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';

/** A platform admin's way to /admin: here and not in the navigation, whose code every visitor loads. */
export function AdminLink() {
  const { t } = useTranslation('communities');
  const me = useQuery(meQuery);
  if (!me.data?.is_platform_admin) return null;
  return (
    // No higher than the title beside it, so that nothing moves when it comes.
    <ButtonLink look="quiet" icon="shield" className="-mx-2 -my-2.5 px-2!" to={paths.admin}>
      {t('administration')}
    </ButtonLink>
  );
}
