import { useTranslation } from 'react-i18next';
import type { useForm } from '#web/lib/use-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { isAboutPhone } from './is-about-phone.ts';
import type { PostFormValues } from './post-draft.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

/** A number that the thing alone has; phones have two. What was given before is not shown, not even to whoever gave it. */
export function IdentifierFields({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  const hasTwo = values.second_identifier !== '' || isAboutPhone(`${values.title}\n${values.description}`);
  const control = {
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    dir: 'ltr',
    isOptional: true,
  };
  return (
    <>
      <TextField
        label={t('identifier')}
        hint={t(values.has_identifiers ? 'identifierKept' : 'identifierHint')}
        {...control}
        {...field('identifier')}
      />
      {hasTwo && (
        <TextField
          label={t('secondIdentifier')}
          hint={t('secondIdentifierHint')}
          {...control}
          {...field('second_identifier')}
        />
      )}
      {values.has_identifiers && (
        <Checkbox
          label={t('removeIdentifiers')}
          name="removes_identifiers"
          checked={values.removes_identifiers}
          onChange={(event) => set('removes_identifiers', event.target.checked)}
        />
      )}
    </>
  );
}
