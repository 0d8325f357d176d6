import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';

type FieldProps = { label: string; error?: string | undefined; hint?: ReactNode; isOptional?: boolean };

function useFieldIds({ error, hint }: Pick<FieldProps, 'error' | 'hint'>) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return {
    id,
    control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined } as const,
  };
}

/** A label above its control, the hint between, the error below. */
function FieldFrame({
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

export function Checkbox({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input {...input} type="checkbox" className="size-5 shrink-0 accent-(--accent)" />
      <span className="font-medium">{label}</span>
    </label>
  );
}

/** Turns one setting on or off. As a button, a press before the app is loaded is carried over (app/take-over.tsx). */
export function Switch({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="group inline-flex min-h-11 items-center gap-2.5 rounded-xl px-1 text-start font-semibold"
      onClick={() => onChange(!isOn)}
    >
      <span
        aria-hidden="true"
        className="flex h-6 w-10 shrink-0 items-center rounded-full border border-field-line bg-sunken px-0.5 transition-colors group-aria-checked:border-accent group-aria-checked:bg-accent"
      >
        <span className="size-4 rounded-full border-8 border-field-line transition-transform group-aria-checked:translate-x-4.5 group-aria-checked:border-on-accent" />
      </span>
      {label}
    </button>
  );
}
