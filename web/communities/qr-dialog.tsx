import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import './qr-print.css';

/** The code to show, to print and to send on: its PNG is large, shown at up to 256 px. */
export function QrDialog({ qrCode, name, onClose }: { qrCode: string; name: string; onClose: () => void }) {
  const { t } = useTranslation('communities');
  const image = `data:image/png;base64,${qrCode}`;
  return (
    <Dialog title={t('qrTitle')} onClose={onClose}>
      <figure className="qr-poster grid justify-items-center gap-3 text-center">
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
        <Button icon="download" onClick={() => download(image, toFileName(name))}>
          {t('download')}
        </Button>
        <Button look="secondary" icon="print" onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
      <Button look="quiet" onClick={onClose}>
        {t('close')}
      </Button>
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
