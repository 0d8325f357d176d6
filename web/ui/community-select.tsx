import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';

type CommunityOption = { code: string; name: string };

/**
 * Chooses one community or none. The platform's own control: on a phone it opens the system's picker, and a click
 * outside or Escape closes it.
 * @param none what it means that none is chosen, such as "Everyone"; shown as the first choice.
 * @param value the chosen code, which stays choosable even while the options are still on their way.
 */
export function CommunitySelect({
  label,
  isLabelHidden = false,
  none,
  hint,
  options,
  value,
  onChange,
}: {
  label: string;
  /** Read out only, where what the box is for can be seen. */
  isLabelHidden?: boolean;
  none: string;
  hint?: ReactNode;
  options: CommunityOption[];
  value: string | null;
  onChange: (code: string | null) => void;
}) {
  const { t } = useTranslation('communities');
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const isKnown = value === null || options.some((option) => option.code === value);

  /** The button goes with what it clears, and the focus with it. */
  function clear() {
    onChange(null);
    select.current?.focus();
  }

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-semibold'}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <div className="flex gap-2">
        <select
          ref={select}
          id={id}
          className="field-input min-w-0"
          aria-describedby={hint ? `${id}-hint` : undefined}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value || null)}
        >
          <option value="">{none}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {options.map(({ code, name }) => (
            <option key={code} value={code} dir="auto">
              {name}
            </option>
          ))}
        </select>
        {value !== null && (
          <button type="button" className="icon-button shrink-0" aria-label={t('clearCommunity')} onClick={clear}>
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  );
}
