import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { passwordAgainSchema } from '#contract/accounts.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { FormDialog } from '#web/ui/dialogs.tsx';
import { useForm } from '#web/ui/form.ts';
import { showToast } from '#web/ui/toast.tsx';
import { deleteAccount, exportData } from './own-api.ts';

/** Lets the user download their data or delete the account. */
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

const FILE_NAME = 'patikana.json';

function ExportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit } = useForm({ schema: passwordAgainSchema, initial: { current_password: '' } });
  const asking = useMutation({
    mutationFn: exportData,
    onSuccess(data) {
      saveFile(FILE_NAME, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      showToast.success(t('exported'));
    },
  });
  return (
    <FormDialog
      title={t('export')}
      form={form}
      saving={asking}
      failed={t('failed')}
      onSubmit={submit((input) => asking.mutate(input, { onSuccess: onClose }))}
      submitLabel={t('export')}
      busyLabel={t('exporting')}
      onClose={onClose}
    >
      <p className="text-muted">{t('exportText')}</p>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}

/** Lists what is deleted, what stays and who is notified, then asks for the password. */
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit } = useForm({ schema: passwordAgainSchema, initial: { current_password: '' } });
  const deleting = useMutation({
    mutationFn: deleteAccount,
    // Shows a toast, because the sign-in screen has replaced this dialog by then.
    onSuccess: () => showToast.success(t('deleted')),
  });
  return (
    <FormDialog
      title={t('deleteTitle')}
      form={form}
      saving={deleting}
      failed={t('failed')}
      onSubmit={submit((input) => deleting.mutate(input))}
      submitLabel={t('deleteNow')}
      busyLabel={t('deleting')}
      look="danger"
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>{t('deleteGoes')}</li>
        <li>{t('deleteStays')}</li>
        <li>{t('deleteTold')}</li>
        <li>{t('deleteLater')}</li>
      </ul>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}

/** Saves the file as a browser's download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A browser may start to read the file a moment later, so the URL stays valid for a minute.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
