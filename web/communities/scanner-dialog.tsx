import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { readPhoto } from './read-photo.ts';
import { type ScanProblem, useScanner } from './use-scanner.ts';

const SENTENCES = {
  'no-camera': 'noCamera',
  'not-allowed': 'cameraRefused',
  error: 'scanError',
  unknown: 'unknownScanError',
} as const satisfies Record<ScanProblem, string>;

/** The scanner modal (docs/product.md S9). Reading a code closes it; so does every other way out, and the camera with it. */
export function ScannerDialog({ onClose, onCode }: { onClose: () => void; onCode: (text: string) => void }) {
  const { t } = useTranslation('communities');
  const host = useId();
  const { problem, isStarting } = useScanner(host, onCode);
  return (
    <Dialog title={t('scannerTitle')} onClose={onClose}>
      <p className="text-muted">{t('scannerText')}</p>
      {problem ? (
        <Banner tone="error">
          <p className="font-semibold">{t(SENTENCES[problem])}</p>
          <p>{t('scannerManual')}</p>
        </Banner>
      ) : (
        <div className="relative min-h-52 overflow-hidden rounded-xl bg-sunken">
          {isStarting && (
            <p role="status" className="absolute inset-0 grid place-items-center text-muted">
              {t('scannerStarting')}
            </p>
          )}
          {/* The scanner writes into this element, so that React leaves it empty. */}
          <div id={host} />
        </div>
      )}
      <PhotoButton onCode={onCode} />
    </Dialog>
  );
}

function PhotoButton({ onCode }: { onCode: (text: string) => void }) {
  const { t } = useTranslation('communities');
  const [state, setState] = useState<'idle' | 'reading' | 'unreadable'>('idle');
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  async function read(event: ChangeEvent<HTMLInputElement>) {
    const photo = event.target.files?.[0];
    // The same photo may be chosen again.
    event.target.value = '';
    if (!photo) return;
    setState('reading');
    const text = await readPhoto(photo);
    // It may take seconds; by now the code may have been typed instead.
    if (!isOpen.current) return;
    setState(text === null ? 'unreadable' : 'idle');
    if (text !== null) onCode(text);
  }

  return (
    <div className="grid gap-3">
      {state === 'unreadable' && <Banner tone="error">{t('photoUnreadable')}</Banner>}
      <label className="inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-xl border border-field-line px-4 py-2 font-semibold focus-within:outline-3 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-sunken">
        <Icon name="camera" />
        {state === 'reading' ? t('readingPhoto') : t('readPhoto')}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          disabled={state === 'reading'}
          onChange={(event) => void read(event)}
        />
      </label>
    </div>
  );
}
