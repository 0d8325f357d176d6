import { useTranslation } from 'react-i18next';
import type { Community } from '#contract/communities.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { QrPoster } from './qr-poster.tsx';

/** The code to show, to send on and, once the community is open, to print: its PNG is large, shown at up to 256 px. */
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
        {/* White in the dark theme too: a scanner needs the contrast and the quiet zone. */}
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

/** The community's name without what a file system refuses. */
export function toFileName(name: string): string {
  const safe = name
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/^\.+/, '')
    .trim();
  return `${safe || 'community'}.png`;
}
