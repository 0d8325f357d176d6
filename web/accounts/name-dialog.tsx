import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Me, meChangeSchema } from '#contract/accounts.ts';
import { USERNAME_MAX_CHARS } from '#contract/limits.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { useForm } from '#web/lib/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { changeMe } from './own-api.ts';

export function NameDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: meChangeSchema,
    initial: { username: me.username },
  });
  const saving = useMutation({
    mutationFn: changeMe,
    onSuccess(changed) {
      client.setQueryData(meQuery.queryKey, changed);
      showToast.success(t('saved'));
    },
    onError: showServerErrors,
  });
  return (
    <FormDialog
      title={t('changeName')}
      form={form}
      saving={saving}
      onSubmit={submit((change) => saving.mutate(change, { onSuccess: onClose }))}
      submitLabel={t('save')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <TextField label={t('name')} autoComplete="nickname" maxLength={USERNAME_MAX_CHARS} {...field('username')} />
    </FormDialog>
  );
}
