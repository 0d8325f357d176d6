import { type ComponentProps, type ComponentType, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useDialogAddress } from '#web/lib/address.ts';
import { type Late, useLate } from '#web/lib/late.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

/** An optional part of a screen, which shows nothing until its code is loaded. */
export function LatePart({ part, isWanted = true }: { part: Late<ComponentType>; isWanted?: boolean }) {
  const { Part } = useLate(part, { isWanted });
  return Part && <Part />;
}

/**
 * A dialog or part that the user opens. If its code cannot be loaded, shows the failure in the part's place. React's
 * own `lazy` would replace the whole screen.
 * @param waiting is shown until the code is loaded.
 */
export function WantedPart<Part>({
  part,
  waiting = null,
  children,
}: {
  part: Late<Part>;
  waiting?: ReactNode;
  children: (Part: Part) => ReactNode;
}) {
  const { Part, hasFailed, isLoading, retry } = useLate(part, { isAsked: true });
  if (Part) return children(Part);
  return hasFailed ? <PartNotLoaded isLoading={isLoading} onRetry={retry} /> : waiting;
}

/** Shown in place of a part whose code could not be loaded. */
export function PartNotLoaded({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  const { t } = useTranslation('common');
  return (
    <Banner tone="error">
      {t('notLoaded')}{' '}
      <Button look="quiet" isBusy={isLoading} onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </Banner>
  );
}

type DialogButtonProps<Dialog> = Pick<ComponentProps<typeof Button>, 'look' | 'icon' | 'className'> & {
  /** The dialog's parameter in the address is `name=about`, for example `report=POST_ID`. */
  name: string;
  about: string;
  label: string;
  part: Late<Dialog>;
  children: (Dialog: Dialog, close: () => void) => ReactNode;
};

/**
 * A button and the dialog that it opens. Returns the focus to the button when the dialog closes: a dialog whose code
 * loads late does not know which element had the focus.
 */
export function DialogButton<Dialog>({ name, about, label, part, children, ...look }: DialogButtonProps<Dialog>) {
  const dialog = useDialogAddress(name, about);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} onClick={dialog.open} {...look}>
        {label}
      </Button>
      {dialog.isOpen && <WantedPart part={part}>{(Dialog) => children(Dialog, close)}</WantedPart>}
    </>
  );
}
