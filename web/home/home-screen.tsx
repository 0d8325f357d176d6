import { useTranslation } from 'react-i18next';
import { useTitle } from '#web/lib/use-title.ts';

export function HomeScreen() {
  const { t } = useTranslation('home');
  useTitle(t('title'));
  return <h1>{t('title')}</h1>;
}
