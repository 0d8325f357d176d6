import { useTranslation } from 'react-i18next';
import { LatePart } from './late-part.tsx';

const loadPicture = async () => (await import('./home-screen-picture.tsx')).HomeScreenPicture;

/** What an iPhone wants before it shows anything that is pushed. */
export function HomeScreenFirst() {
  const { t } = useTranslation('push');
  return (
    <div className="grid items-center gap-4 sm:grid-cols-[1fr_auto]">
      <div className="grid gap-2">
        <h2>{t('iphoneTitle')}</h2>
        <ol className="grid list-decimal gap-1 pl-5">
          <li>{t('iphoneShare')}</li>
          <li>{t('iphoneAdd')}</li>
          <li>{t('iphoneOpen')}</li>
        </ol>
        <p className="text-muted text-sm">{t('emailToo')}</p>
      </div>
      <div className="mx-auto h-48 w-56">
        <LatePart load={loadPicture} />
      </div>
    </div>
  );
}
