import { useTranslation } from 'react-i18next';
import { stripPhoneSeparators } from '#contract/normalise-phone.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { Checkbox, TextArea, TextField } from '#web/ui/field.tsx';
import type { PostFormValues } from './post-draft.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

/** First what a finder knows at once: what, where, and how to reach them. */
export function PostFields({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  return (
    <>
      <TextField label={t('title')} hint={t('titleHint')} autoComplete="off" enterKeyHint="next" {...field('title')} />
      <TextField label={t('location')} hint={t('locationHint')} autoComplete="off" {...field('location')} />
      <TextField
        label={t('phoneNumber')}
        hint={t('phoneHint')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...field('phone_number')}
        dir="ltr"
        onChange={(event) => set('phone_number', stripPhoneSeparators(event.target.value))}
      />
      <TextArea label={t('description')} hint={t('descriptionHint')} isOptional {...field('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('ownerFirstName')}
          isOptional
          autoComplete={values.is_owner ? 'given-name' : 'off'}
          {...field('owner_first_name')}
        />
        <TextField
          label={t('ownerLastName')}
          isOptional
          autoComplete={values.is_owner ? 'family-name' : 'off'}
          {...field('owner_last_name')}
        />
      </div>
      <Checkbox
        label={t('isOwner')}
        name="is_owner"
        checked={values.is_owner}
        onChange={(event) => set('is_owner', event.target.checked)}
      />
    </>
  );
}
