import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { addPasskey, whyNotShown } from '#web/admin/api.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { useForm } from '#web/ui/form.ts';

const passwordSchema = z.object({
  current_password: z.string().check(z.minLength(1, { error: 'password_required' })),
});

/** Adds the first passkey, which requires the password. */
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

/** Runs a passkey action, such as adding one. Returns the sentence to show if the action fails. */
export function usePasskey<Input = void>(act: (input: Input) => Promise<unknown>, onDone: () => void) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useMutation({
    mutationFn: act,
    onMutate: () => setProblem(null),
    onSuccess: onDone,
    onError(error) {
      const reason = whyNotShown(error);
      setProblem(reason ? t(reason) : failureText(error, t('failed')));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.admin.passkeys }),
  });
  return { problem, isBusy: mutation.isPending, act: mutation.mutate };
}
