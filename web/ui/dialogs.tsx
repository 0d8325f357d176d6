import type { ComponentProps, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '#web/api/client.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { ConfirmButtons, Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  /** What the button does, in one or two words. */
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

type FormDialogProps = {
  title: string;
  form?: RefObject<HTMLFormElement | null>;
  saving: { error: unknown; isPending: boolean };
  /** Our sentence for a failure, if the server has none. */
  failed: string;
  /** For `onSubmit`. A form that is being sent is not sent again. */
  onSubmit: ComponentProps<'form'>['onSubmit'];
  submitLabel: string;
  busyLabel: string;
  look?: 'primary' | 'danger';
  /** Replaces the form once it is sent; without it the caller closes the dialog. */
  done?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog, with the reason of a failure above its fields. */
export function FormDialog({
  title,
  form,
  saving,
  failed,
  onSubmit,
  done,
  onClose,
  children,
  ...button
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
          {Boolean(saving.error) && <Banner tone="error">{failureText(saving.error, failed)}</Banner>}
          {children}
          <Button type="submit" look={button.look ?? 'primary'} isBusy={saving.isPending} busyLabel={button.busyLabel}>
            {button.submitLabel}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
