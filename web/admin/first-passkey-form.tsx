import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { addPasskey } from './passkey-api.ts';
import { usePasskey } from './use-passkey.ts';

const passwordSchema = z.object({
  current_password: z.string().check(z.minLength(1, { error: 'password_required' })),
});

/** Adds the first passkey, for which the password is asked. */
export function FirstPasskeyForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('admin');
  const { form, field, submit } = useForm({ schema: passwordSchema, initial: { current_password: '' } });
  const { problem, isBusy, act } = usePasskey(addPasskey, onDone);
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={submit(({ current_password }) => !isBusy && act(current_password))}
    >
      {problem && <Banner tone="error">{problem}</Banner>}
      <PasswordField
        label={t('currentPassword')}
        hint={t('currentPasswordHint')}
        autoComplete="current-password"
        {...field('current_password')}
      />
      <Button type="submit" isBusy={isBusy}>
        {t('addPasskey')}
      </Button>
    </form>
  );
}
