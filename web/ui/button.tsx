import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icon.tsx';

const BASE =
  'wrap-anywhere inline-flex min-h-11 max-w-full items-center justify-center gap-2 rounded-xl px-4 py-2 text-center font-semibold transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60';
const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-field-line bg-surface hover:bg-sunken',
  quiet: 'text-accent hover:bg-accent-soft',
  danger: 'bg-danger text-surface hover:opacity-90',
};

type ButtonLook = { look?: keyof typeof LOOKS; icon?: IconName };

type ButtonState = {
  isBusy?: boolean;
  isLocked?: boolean;
  /**
   * The label while the button is busy. The markup always contains this label, because a form can be submitted on the
   * prerendered page before the app has loaded.
   */
  busyLabel?: string;
};

/** A button. While busy or locked it stays focusable: a disabled button would lose the keyboard user's focus. */
export function Button({
  look = 'primary',
  icon,
  isBusy = false,
  isLocked = false,
  busyLabel,
  className = '',
  children,
  onClick,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'disabled'> & ButtonLook & ButtonState) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || isLocked || undefined}
      aria-busy={isBusy || undefined}
      data-busy-label={busyLabel}
      // Ignores clicks on a busy or locked button. Enter in a field of the form is then ignored too, because the
      // browser turns this Enter into a click on the submit button.
      onClick={isBusy || isLocked ? (event) => event.preventDefault() : onClick}
      className={`${BASE} ${LOOKS[look]} ${className}`}
    >
      {icon && <Icon name={icon} />}
      {isBusy && busyLabel ? busyLabel : children}
    </button>
  );
}

export function ButtonLink({
  look = 'primary',
  icon,
  className = '',
  children,
  ...rest
}: ComponentProps<typeof Link> & ButtonLook) {
  return (
    <Link {...rest} className={`${BASE} ${LOOKS[look]} ${className}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** A link that looks like a button and leaves the app, for example to call a phone number. */
export function LinkButton({
  look = 'primary',
  icon,
  className = '',
  children,
  ...rest
}: ComponentProps<'a'> & ButtonLook) {
  return (
    <a {...rest} className={`${BASE} ${LOOKS[look]} ${className}`}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
