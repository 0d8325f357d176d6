import type { ComponentProps } from 'react';

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
