import { useState } from 'react';
import { useTranslation } from '#web/lib/use-translation.ts';
import { Button } from '#web/ui/button.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';

/** To take along what is held of the reader, or to have it gone. */
export function OwnData() {
  const { t } = useTranslation('settings');
  const [open, setOpen] = useState<'export' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <section className="grid gap-3">
      <h2>{t('dataTitle')}</h2>
      <div className="card flex flex-wrap gap-3">
        <Button look="secondary" icon="download" onClick={() => setOpen('export')}>
          {t('export')}
        </Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={() => setOpen('delete')}>
          {t('delete')}
        </Button>
      </div>
      {open === 'export' && <ExportDialog onClose={close} />}
      {open === 'delete' && <DeleteAccountDialog onClose={close} />}
    </section>
  );
}
