import type { ComponentProps, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Props = {
  title: string;
  form?: RefObject<HTMLFormElement | null>;
  saving: { error: unknown; isPending: boolean };
  /** For `onSubmit`; what is sent already is not sent again. */
  onSubmit: ComponentProps<'form'>['onSubmit'];
  submitLabel: string;
  busyLabel: string;
  look?: 'primary' | 'danger';
  /** What is said in the place of the form once it is sent; without it the dialog is closed. */
  done?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog, with what the server had against it above its fields. */
export function FormDialog({
  title,
  form,
  saving,
  onSubmit,
  submitLabel,
  busyLabel,
  look,
  done,
  onClose,
  children,
}: Props) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Dialog title={title} onClose={onClose}>
      <Banner tone="success">{done}</Banner>
      {done ? (
        <Button onClick={onClose}>{t('common:close')}</Button>
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
          {Boolean(saving.error) && <Banner tone="error">{describeFailure(saving.error, t('failed'))}</Banner>}
          {children}
          <Button type="submit" look={look ?? 'primary'} isBusy={saving.isPending} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
