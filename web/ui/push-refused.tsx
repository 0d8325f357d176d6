import { useTranslation } from 'react-i18next';
import { Banner } from './banner.tsx';

/** The reader has refused in the browser: what that means, and where alone it can be changed. */
export function PushRefused() {
  const { t } = useTranslation('push');
  return (
    <Banner tone="notice">
      <p className="font-semibold">{t('refusedTitle')}</p>
      <p>{t('refused')}</p>
      <p>{t('emailToo')}</p>
    </Banner>
  );
}
