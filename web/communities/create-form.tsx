import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type CreatedCommunity, communityInputSchema } from '#contract/communities.ts';
import { COMMUNITY_DESCRIPTION_MAX_CHARS, COMMUNITY_NAME_MAX_CHARS } from '#contract/limits.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { createCommunity } from './api.ts';

const EMPTY = { name: '', description: '' };

export function CreateForm({ onCreated }: { onCreated: (community: CreatedCommunity) => void }) {
  const { t } = useTranslation('communities');
  const queryClient = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: communityInputSchema,
    initial: EMPTY,
  });
  const creation = useMutation({
    mutationFn: ({ name, description }: typeof EMPTY) =>
      createCommunity({ name: name.trim(), description: description.trim() }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: queryKeys.communities.all }),
    onError: (error: Error) => void showServerErrors(error),
  });

  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={submit((input) => {
        if (!creation.isPending) creation.mutate(input, { onSuccess: onCreated });
      })}
    >
      {creation.error && !isAboutFields(creation.error) && (
        <Banner tone="error">{explain(creation.error, t('createFailed'))}</Banner>
      )}
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        autoComplete="off"
        maxLength={COMMUNITY_NAME_MAX_CHARS}
        {...field('name')}
      />
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        isOptional
        rows={3}
        maxLength={COMMUNITY_DESCRIPTION_MAX_CHARS}
        {...field('description')}
      />
      <Button type="submit" isBusy={creation.isPending} busyLabel={t('creating')}>
        {t('create')}
      </Button>
    </form>
  );
}

/** Then the sentences stand beside the fields. */
function isAboutFields(error: Error): boolean {
  return error instanceof ApiError && error.errors.length > 0;
}

/** The server's detail, else the error's own message, else a sentence that fits any. */
function explain(error: Error, fallback: string): string {
  return error instanceof ApiError ? error.detail || fallback : error.message || fallback;
}
