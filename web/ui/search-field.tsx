import { useId, useRef } from 'react';
import { Icon } from './icon.tsx';

/** A box that narrows the list below it; its label is read to those who do not see the looking glass. */
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

  /** The button goes with what it clears, and the focus with it. */
  function clear() {
    onChange('');
    box.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: React warns of a search element wherever the browser does not know it
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
