import { useTranslation } from 'react-i18next';
import { KEPT_AT_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/post-kinds.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { PostFormValues } from './post-draft.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

/** Where a found thing is now: what its owner asks first. */
export function KeptAtField({ values, field }: Pick<Fields, 'values' | 'field'>) {
  const { t } = useTranslation('posts');
  if (values.is_owner) return null;
  return (
    <TextField
      label={t('keptAt')}
      hint={t('keptAtHint')}
      isOptional
      autoComplete="off"
      maxLength={KEPT_AT_MAX_CHARS}
      {...field('kept_at')}
    />
  );
}

/** What the thing is taken for, to be corrected; a post that is new or says so is read for it. */
export function KindField({ values, set }: Pick<Fields, 'values' | 'set'>) {
  const { t } = useTranslation('posts');
  return (
    <SelectField
      label={t('kind')}
      name="kind"
      value={values.chosen_kind ?? values.read_kind ?? 'read'}
      options={[
        { value: 'read', label: t('kindRead') },
        ...POST_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
      ]}
      onChange={(kind) => set('chosen_kind', kind)}
    />
  );
}
