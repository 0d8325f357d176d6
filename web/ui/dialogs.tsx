import { type ComponentProps, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '#web/api/client.ts';
import { useHeldNotices, useNoticesHeld } from '#web/lib/notice-signals.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/**
 * A modal dialog element, open while it is rendered. The page behind it is inert, Escape closes it, and the focus then
 * returns to where it was.
 */
export function Dialog({
  title,
  onClose,
  backdrop,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Decoration behind the dialog's content. */
  backdrop?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const dialog = useModal();
  const titleId = useId();
  // A press outside closes the dialog only if it also began outside: a user who selects text may release the mouse
  // outside.
  const isPressedOutside = useRef(false);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the native Escape is the keyboard's equivalent
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

/** Says that notices wait until the dialog is closed. */
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

/**
 * The native dialog element, open while it is rendered. When the dialog closes, the focus returns to the element that
 * had the focus before.
 */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useNoticesHeld('dialog');
  // Closes the dialog before React removes the element: otherwise the browser does not return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}

/**
 * The buttons of a dialog with a question: cancel and confirm.
 * @param onConfirm omit it if the second button submits the dialog's form.
 */
export function ConfirmButtons({
  label,
  look = 'danger',
  isBusy,
  onCancel,
  onConfirm,
}: {
  label: string;
  look?: 'primary' | 'danger';
  isBusy: boolean;
  onCancel: () => void;
  onConfirm?: () => void;
}) {
  const { t } = useTranslation('common');
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button look="secondary" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button look={look} isBusy={isBusy} {...(onConfirm ? { onClick: onConfirm } : { type: 'submit' })}>
        {label}
      </Button>
    </div>
  );
}

type ConfirmDialogProps = {
  title: string;
  /** The confirm button's label, in one or two words. */
  action: string;
  look?: 'primary' | 'danger';
  step: { isPending: boolean; isSuccess: boolean };
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Explains the consequences of a step before the user takes it. */
export function ConfirmDialog({ step, problem, ...props }: ConfirmDialogProps) {
  const { title, action, look = 'danger', onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {problem && <Banner tone="error">{problem}</Banner>}
      <ConfirmButtons
        label={action}
        look={look}
        isBusy={step.isPending || step.isSuccess}
        onCancel={onClose}
        onConfirm={onConfirm}
      />
    </Dialog>
  );
}

export type FormDialogProps = {
  title: string;
  form?: RefObject<HTMLFormElement | null>;
  saving: { error: unknown; isPending: boolean };
  /** The sentence for a failure that the server does not explain. */
  failed: string;
  /** The sentence for a failure without a response. */
  noAnswer?: string;
  /** The form's `onSubmit`. Not called while the form is being sent. */
  onSubmit: ComponentProps<'form'>['onSubmit'];
  submitLabel: string;
  busyLabel?: string;
  /** Whether a button to cancel is next to the one that submits. */
  canCancel?: boolean;
  look?: 'primary' | 'danger';
  /** The content that replaces the form once the form is sent. Without this content, the caller closes the dialog. */
  done?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog. If sending fails, the reason appears above the fields. */
export function FormDialog({
  title,
  form,
  saving,
  failed,
  noAnswer,
  onSubmit,
  submitLabel,
  busyLabel,
  canCancel = false,
  look = 'primary',
  done,
  onClose,
  children,
}: FormDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Dialog title={title} onClose={onClose}>
      <Banner tone="success">{done}</Banner>
      {done ? (
        <Button onClick={onClose}>{t('close')}</Button>
      ) : (
        <form
          ref={form}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            if (saving.isPending) event.preventDefault();
            else onSubmit?.(event);
          }}
        >
          {Boolean(saving.error) && <Banner tone="error">{failureText(saving.error, failed, noAnswer)}</Banner>}
          {children}
          {canCancel ? (
            <ConfirmButtons label={submitLabel} look={look} isBusy={saving.isPending} onCancel={onClose} />
          ) : (
            <Button type="submit" look={look} isBusy={saving.isPending} busyLabel={busyLabel}>
              {submitLabel}
            </Button>
          )}
        </form>
      )}
    </Dialog>
  );
}
