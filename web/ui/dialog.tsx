import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useHeldNotices } from '#web/lib/held-notices.ts';
import { Icon } from './icon.tsx';
import { useModal } from './use-modal.ts';

/**
 * A modal on the platform's own dialog: the page behind is inert, Escape closes, and the focus goes back to where
 * it came from. It is open as long as it is rendered.
 */
export function Dialog({
  title,
  onClose,
  backdrop,
  children,
}: {
  title: string;
  onClose: () => void;
  /** What happens around the dialog, behind all that stands in it. */
  backdrop?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const dialog = useModal();
  const titleId = useId();
  // Text that is selected beyond the edge ends outside, and is no wish to close.
  const isPressedOutside = useRef(false);

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
      className="m-auto max-h-none w-[calc(100%-2rem)] max-w-125 overflow-visible bg-transparent p-0 text-ink backdrop:bg-[rgb(15_13_21/60%)]"
    >
      {backdrop}
      <div className="relative max-h-[90dvh] overflow-y-auto rounded-2xl border border-line bg-surface shadow-xl">
        <div className="grid gap-4 p-5">
          <div className="flex items-start justify-between gap-4">
            <h2 id={titleId}>{title}</h2>
            <button type="button" className="icon-button -mt-2 -mr-2" aria-label={t('close')} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </div>
        <HeldNotices />
      </div>
    </dialog>
  );
}

/** That something has come, which is shown once the dialog is closed. */
function HeldNotices() {
  const { t } = useTranslation('common');
  const count = useHeldNotices('dialog');
  return (
    <div role="status" className="sticky bottom-0">
      {count > 0 && (
        <p className="flex items-center gap-2.5 bg-accent-soft px-5 py-3 text-accent">
          <Icon name="bell" />
          {t('noticesBehindDialog', { count })}
        </p>
      )}
    </div>
  );
}
