import { useTranslation } from 'react-i18next';
import type { Community } from '#contract/communities.ts';
import type english from '#locales/en/outside/poster.json';
import { byLanguage } from '#web/lib/by-language.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { POSTER_LANGUAGES, PosterHeader, PrintSheet } from '#web/ui/print-sheet.tsx';

/**
 * The community's QR code, to show and share. The QR code of an approved community can also be printed. The dialog
 * shows the PNG at up to 256 px; the download has the full size.
 */
export function QrDialog({
  qrCode,
  community,
  onClose,
}: {
  qrCode: string;
  community: Community;
  onClose: () => void;
}) {
  const { t } = useTranslation('community');
  const { name } = community;
  const image = `data:image/png;base64,${qrCode}`;
  const isOpen = community.approval_status === 1;
  return (
    <Dialog title={t('qrTitle')} onClose={onClose}>
      {!isOpen && <Banner tone="notice">{t('qrPending')}</Banner>}
      <figure className="grid justify-items-center gap-3 text-center print:hidden">
        {/* White in the dark theme too: a scanner needs the contrast and the white margin. */}
        <img
          src={image}
          alt={t('qrAlt', { name })}
          width={256}
          height={256}
          className="aspect-square w-full max-w-64 rounded-lg bg-white"
        />
        <figcaption className="grid gap-1">
          <span>{t('scanToJoin')}</span>
          <strong dir="auto" className="break-words text-lg">
            {name}
          </strong>
        </figcaption>
      </figure>
      <div className="grid grid-cols-2 gap-2">
        <Button
          icon="download"
          className={isOpen ? '' : 'col-span-2'}
          onClick={() => download(image, toFileName(name))}
        >
          {t('download')}
        </Button>
        {isOpen && (
          <Button look="secondary" icon="print" onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </div>
      <Button look="quiet" onClick={onClose}>
        {t('close')}
      </Button>
      {isOpen && <QrPoster image={image} community={community} />}
    </Dialog>
  );
}

function download(href: string, fileName: string): void {
  Object.assign(document.createElement('a'), { href, download: fileName }).click();
}

/** Returns the community's name without characters that file systems refuse. */
export function toFileName(name: string): string {
  const safe = name
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/^\.+/, '')
    .trim();
  return `${safe || 'community'}.png`;
}

const texts = byLanguage(
  import.meta.glob<typeof english>('#locales/*/outside/poster.json', { eager: true, import: 'default' }),
);

/** The printed poster: what Patikana is, the community, how to join, and what to do next. */
function QrPoster({ image, community: { name, access_code } }: { image: string; community: Community }) {
  const { host } = window.location;
  return (
    <PrintSheet className="poster qr-poster">
      <PosterHeader />
      <p className="qr-poster-name" dir="auto">
        {name}
      </p>
      <img src={image} alt="" />
      <p className="qr-poster-code" dir="ltr">
        {access_code}
      </p>
      <div className="qr-poster-texts">
        {POSTER_LANGUAGES.map((language) => (
          <section key={language} lang={language}>
            <h3>{texts[language].call}</h3>
            <p>{texts[language].join}</p>
            <ol>
              <li>{texts[language].scan}</li>
              <li>{texts[language].type.replace('{address}', () => host + paths.communities)}</li>
              <li>{texts[language].post}</li>
            </ol>
          </section>
        ))}
      </div>
    </PrintSheet>
  );
}
