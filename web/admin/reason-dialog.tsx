import { useTranslation } from 'react-i18next';
import { MODERATION_REASON_MAX_CHARS } from '#contract/limits.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';

/** Asks for a reason, which whom it concerns reads as it is written. */
export function ReasonDialog({
  title,
  text,
  hint,
  action,
  initial = '',
  problem,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: string;
  text: string;
  hint: string;
  action: string;
  initial?: string;
  problem: string | null;
  isBusy: boolean;
  onSubmit: (reason: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('admin');
  const { form, field, submit } = useForm({ schema: moderationReasonSchema, initial: { reason: initial } });
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-muted">{text}</p>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit(({ reason }) => onSubmit(reason))}>
        {problem && <Banner tone="error">{problem}</Banner>}
        <TextArea label={t('reason')} hint={hint} maxLength={MODERATION_REASON_MAX_CHARS} {...field('reason')} />
        <ConfirmButtons label={action} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
