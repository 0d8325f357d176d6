import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Community } from '#contract/communities.ts';
import { joinLink } from '#contract/join-link.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { fetchQrCode } from './api.ts';
import { QrDialog } from './qr-dialog.tsx';

const COPIED_MS = 2_000;

/** The joining secret and the ways to pass it on. */
export function AccessSettings({ community }: { community: Community }) {
  const { t } = useTranslation('community');
  const id = useId();
  const code = community.access_code ?? '';
  const [isQrOpen, setIsQrOpen] = useState(false);
  const qrCode = useMutation({
    mutationFn: () => fetchQrCode(community.id),
    onSuccess: () => setIsQrOpen(true),
    // Logged, without a message (docs/product.md S8).
    onError: (error) => console.warn({ event: 'qr_code_failed', error }),
  });
  return (
    <section className="card grid gap-4" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('accessSettings')}</h2>
      <p className="text-muted text-sm">{t(accessTextKey(community))}</p>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          {t('accessCode')}
        </label>
        <input
          id={id}
          readOnly
          dir="ltr"
          value={code}
          onFocus={(event) => event.target.select()}
          className="field-input text-center font-mono text-xl! tracking-widest"
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <CopyButton text={code} />
        <Button
          look="secondary"
          icon="share"
          onClick={() =>
            void share(t('shareText', { name: community.name, link: joinLink(window.location.origin, code) }))
          }
        >
          {t('share')}
        </Button>
      </div>
      <Button icon="qr" isBusy={qrCode.isPending} onClick={() => qrCode.mutate()}>
        {qrCode.isPending ? t('generatingQr') : t('generateQr')}
      </Button>
      {isQrOpen && qrCode.data && (
        <QrDialog qrCode={qrCode.data} community={community} onClose={() => setIsQrOpen(false)} />
      )}
    </section>
  );
}

function accessTextKey({ approval_status, is_suspended }: Community) {
  if (is_suspended) return 'accessSuspended';
  return approval_status === 1 ? 'accessText' : 'accessPending';
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('community');
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    if (await copyText(text)) setIsCopied(true);
    else showToast.error(t('copyFailed'));
  }

  return (
    <Button look="secondary" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? t('copied') : t('copy')}</span>
    </Button>
  );
}

/** The phone's own sheet where there is one, else WhatsApp, which is where such things are sent. */
async function share(text: string): Promise<void> {
  if (!navigator.share) {
    window.open(`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener');
    return;
  }
  try {
    await navigator.share({ text });
  } catch {
    // Closing the sheet without sharing ends here too.
  }
}
