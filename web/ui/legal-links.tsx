import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';

/** @param isNewTab whether the links open in new tabs, because leaving the page would lose the user's input. */
export function LegalLinks({ isNewTab = false }: { isNewTab?: boolean }) {
  const { t } = useTranslation('common');
  const target = isNewTab ? { target: '_blank' } : {};
  return (
    <p className="flex flex-wrap gap-x-5">
      <Link className="link py-1" to={paths.terms} {...target}>
        {t('terms')}
      </Link>
      <Link className="link py-1" to={paths.privacy} {...target}>
        {t('privacy')}
      </Link>
    </p>
  );
}
