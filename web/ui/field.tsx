import { type ComponentProps, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';

export type FieldProps = { label: string; error?: string | undefined; hint?: ReactNode; isOptional?: boolean };

export function useFieldIds({ error, hint }: Pick<FieldProps, 'error' | 'hint'>) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return {
    id,
    control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined } as const,
  };
}

/** A label, a hint, the input and its error, in this order. */
export function FieldFrame({
  id,
  label,
  error,
  hint,
  isOptional,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label} {isOptional && <span className="font-normal text-muted text-sm">{t('optional')}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-danger text-sm">
          <Icon name="alert" className="mt-0.5 size-4" />
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  error,
  hint,
  isOptional,
  className = '',
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const { id, control } = useFieldIds({ error, hint });
  return (
    <FieldFrame {...{ id, label, error, hint, isOptional }}>
      <input dir="auto" {...input} {...control} className={`field-input ${className}`} />
    </FieldFrame>
  );
}

export function TextArea({ label, error, hint, isOptional, ...input }: FieldProps & ComponentProps<'textarea'>) {
  const { id, control } = useFieldIds({ error, hint });
  return (
    <FieldFrame {...{ id, label, error, hint, isOptional }}>
      <textarea rows={4} dir="auto" {...input} {...control} className="field-input" />
    </FieldFrame>
  );
}
