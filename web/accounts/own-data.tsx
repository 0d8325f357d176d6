import { useTranslation } from 'react-i18next';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';

/** To take along what is held of the reader, or to have it gone. */
export function OwnData() {
  const { t } = useTranslation('settings');
  const taking = useDialogAddress('dialog', 'export');
  const deletion = useDialogAddress('dialog', 'delete');
  return (
    <section className="grid gap-3">
      <h2>{t('dataTitle')}</h2>
      <div className="card flex flex-wrap gap-3">
        <Button look="secondary" icon="download" onClick={taking.open}>
          {t('export')}
        </Button>
        <Button look="secondary" icon="trash" className="text-danger" onClick={deletion.open}>
          {t('delete')}
        </Button>
      </div>
      {taking.isOpen && <ExportDialog onClose={taking.close} />}
      {deletion.isOpen && <DeleteAccountDialog onClose={deletion.close} />}
    </section>
  );
}
