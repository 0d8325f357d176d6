import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

type Props = {
  label: string;
  text: string;
  example: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isLocked?: boolean;
  children?: ReactNode;
};

/** Something that can be switched on or off, with what it does and an example of it. */
export function Channel({ label, text, example, isOn, onChange, isLocked = false, children }: Props) {
  const { t } = useTranslation('settings');
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-(--accent)"
          checked={isOn}
          disabled={isLocked}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="font-semibold">{label}</span>
      </label>
      <div id={id} className="grid gap-1.5 text-sm">
        <p className="text-muted">{text}</p>
        <p className="rounded-lg bg-sunken px-3 py-2">
          <span className="text-muted">{t('example')}: </span>
          {example}
        </p>
      </div>
      {children}
    </div>
  );
}
