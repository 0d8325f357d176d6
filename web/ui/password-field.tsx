import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx';
import { Icon } from './icon.tsx';

/** A password that can be looked at while it is typed; pasting and password managers work. */
export function PasswordField({ label, error, hint, ...input }: FieldProps & ComponentProps<'input'>) {
  const { t } = useTranslation('common');
  const { id, control } = useFieldIds({ error, hint });
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame {...{ id, label, error, hint }}>
      <div className="relative">
        <input {...input} {...control} type={isShown ? 'text' : 'password'} className="field-input pr-12" />
        <button
          type="button"
          className="icon-button absolute top-0 right-0.5"
          aria-pressed={isShown}
          aria-label={t('showPassword')}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </button>
      </div>
    </FieldFrame>
  );
}
