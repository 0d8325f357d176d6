import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/**
 * `bar` is for the tabs of a screen, `pills` for tabs inside one of these tabs. Both fit into one row at a width of 360
 * px.
 */
const LOOKS = {
  bar: {
    list: 'border-line border-b',
    tab: '-outline-offset-3 grow border-transparent border-b-3 px-0.5 text-[0.8125rem] hover:bg-sunken aria-selected:border-accent max-[22rem]:basis-2/5 sm:grow-0 sm:px-5 sm:text-base',
  },
  pills: {
    list: 'gap-1.5 sm:gap-2',
    tab: 'rounded-full bg-sunken px-2.5 text-[0.8125rem] hover:bg-line aria-selected:bg-accent-soft sm:px-4 sm:text-base',
  },
};

/** Tabs as in the ARIA pattern: only one is in the tab order; arrow keys, Home and End move between tabs. */
export function Tabs<Name extends string>({
  label,
  tabs,
  current,
  look = 'bar',
  onChange,
  children,
}: {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  current: Name;
  look?: keyof typeof LOOKS;
  onChange: (name: Name) => void;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  /**
   * Moves from the focused tab to another one. `current` is not used, because it may still be the old tab after a quick
   * second press.
   */
  function step(event: KeyboardEvent, from: number) {
    const move = STEPS[event.key];
    if (!move) return;
    event.preventDefault();
    const index = move(from, tabs.length);
    const target = tabs[index];
    if (!target) return;
    onChange(target.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }

  return (
    <div className="grid gap-5">
      <div ref={list} role="tablist" aria-label={label} className={`flex flex-wrap ${LOOKS[look].list}`}>
        {tabs.map(({ name, label: text }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChange(name)}
            onKeyDown={(event) => step(event, index)}
            className={`min-h-11 font-semibold text-muted aria-selected:text-accent ${LOOKS[look].tab}`}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}
