import { useTranslation } from 'react-i18next';
import type { useForm } from '#web/lib/use-form.ts';
import { Checkbox, TextArea, TextField } from '#web/ui/field.tsx';
import { stripPhoneSeparators } from '#worker/contract/phone.ts';
import type { PostFormValues } from './post-draft.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'errors' | 'set' | 'touch'>;
type TextName = Exclude<keyof PostFormValues, 'is_owner' | 'community_code'>;

/** First what a finder knows at once: what, where, and how to reach them. */
export function PostFields({ values, errors, set, touch }: Fields) {
  const { t } = useTranslation('posts');
  const text = (name: TextName) => ({
    name,
    dir: 'auto',
    value: values[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    onBlur: () => values[name] && touch(name),
  });
  return (
    <>
      <TextField label={t('title')} hint={t('titleHint')} autoComplete="off" enterKeyHint="next" {...text('title')} />
      <TextField label={t('location')} hint={t('locationHint')} autoComplete="off" {...text('location')} />
      <TextField
        label={t('phoneNumber')}
        hint={t('phoneHint')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...text('phone_number')}
        dir="ltr"
        onChange={(event) => set('phone_number', stripPhoneSeparators(event.target.value))}
      />
      <TextArea label={t('description')} hint={t('descriptionHint')} isOptional {...text('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('ownerFirstName')}
          isOptional
          autoComplete={values.is_owner ? 'given-name' : 'off'}
          {...text('owner_first_name')}
        />
        <TextField
          label={t('ownerLastName')}
          isOptional
          autoComplete={values.is_owner ? 'family-name' : 'off'}
          {...text('owner_last_name')}
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
