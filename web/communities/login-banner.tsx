import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#web/ui/banner.tsx';

/** docs/product.md S7. */
const BANNER_MS = 5_000;

/** Says to a visitor, for a while, why the page is empty. Its room stays, so that nothing moves under a finger. */
export function LoginBanner() {
  const { t } = useTranslation('communities');
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(false), BANNER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className="min-h-18 sm:min-h-12">{isShown && <Banner tone="notice">{t('loginBanner')}</Banner>}</div>;
}
