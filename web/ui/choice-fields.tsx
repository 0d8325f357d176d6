import { type ComponentProps, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_MAX_CHARS } from '#contract/limits.ts';
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx';
import { Icon } from './icon.tsx';

/** A search field for the list below it. The label is only for screen readers; the field shows a magnifying glass. */
export function SearchField({
  label,
  placeholder = label,
  clearLabel,
  value,
  onChange,
  maxLength,
  isDisabled = false,
}: {
  label: string;
  placeholder?: string;
  clearLabel: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  isDisabled?: boolean;
}) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);

  /** Empties the field. Moves the focus into the field, because the button that empties it disappears. */
  function clear() {
    onChange('');
    box.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: React warns about a search element in browsers that do not know it
    <div role="search" className="relative">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Icon name="search" className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-5 text-muted" />
      <input
        ref={box}
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        dir="auto"
        maxLength={maxLength}
        placeholder={placeholder}
        disabled={isDisabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="field-input px-11!"
      />
      {value && (
        <button type="button" className="icon-button absolute top-0 right-0.5" aria-label={clearLabel} onClick={clear}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** A password field with a button that shows the password. Pasting and password managers work. */
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

type FieldControl = Omit<ComponentProps<typeof PasswordField>, 'label' | 'hint'>;

/** The field for a new password, and below it the field in which the user repeats the password. */
export function NewPasswordFields({
  label,
  hint,
  confirmLabel,
  password,
  confirm,
}: {
  label: string;
  hint: string;
  confirmLabel: string;
  password: FieldControl;
  confirm: FieldControl;
}) {
  const shared = { autoComplete: 'new-password', maxLength: PASSWORD_MAX_CHARS };
  return (
    <>
      <PasswordField label={label} hint={hint} {...shared} {...password} />
      <PasswordField label={confirmLabel} {...shared} {...confirm} />
    </>
  );
}

/** Compares the repeated password with the new one. @returns the error of the form's field `confirm`, if any. */
export function checkConfirm(
  password: string,
  confirm: string,
  texts: { missing: string; different: string },
): { confirm?: string } {
  if (confirm === '') return { confirm: texts.missing };
  return confirm === password ? {} : { confirm: texts.different };
}

export function Checkbox({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input {...input} type="checkbox" className="size-5 shrink-0 accent-(--accent)" />
      <span className="font-medium">{label}</span>
    </label>
  );
}

/**
 * Turns a setting on or off. The switch is a `button` element: if the user presses a button on the prerendered page
 * before the app has loaded, the app repeats the press (app/take-over.tsx).
 */
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

type SelectOption<Value extends string> = { value: Value; label: string };

/** A choice of one option. The native control opens the phone's own picker. */
export function SelectField<Value extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: {
  label: string;
  name: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        className="field-input min-w-0"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
