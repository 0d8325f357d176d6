import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { meQuery } from '#web/api/me.ts';
import { queryClient } from '#web/api/queries.ts';
import { paths } from '#web/lib/paths.ts';

/** The link to /admin, for platform admins only. */
export function AdminLink() {
  const { t } = useTranslation('communities');
  const me = useQuery(meQuery, queryClient);
  if (!me.data?.is_platform_admin) return null;
  return (
    <NavLink className="nav-link" to={paths.admin}>
      {t('administration')}
    </NavLink>
  );
}
