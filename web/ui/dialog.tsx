import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';

/**
 * A modal on the platform's own dialog: the page behind is inert, Escape closes, and the focus goes back to where
 * it came from. It is open as long as it is rendered.
 */
export function Dialog({
  title,
  onClose,
  children,
  className = '',
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}) {
  const { t } = useTranslation('common');
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Text that is selected beyond the edge ends outside, and is no wish to close.
  const isPressedOutside = useRef(false);

  // Before the element leaves the page: one that is closed after that gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the platform's Escape is the keyboard's way
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        isPressedOutside.current = event.target === dialog.current;
      }}
      onClick={(event) => event.target === dialog.current && isPressedOutside.current && onClose()}
      className={`m-auto max-h-[90dvh] w-[calc(100%-2rem)] max-w-125 rounded-2xl border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-[rgb(15_13_21/60%)] ${className}`}
    >
      <div className="grid gap-4 p-5">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="icon-button -mt-2 -mr-2" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
