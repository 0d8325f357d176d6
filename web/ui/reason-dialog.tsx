import { MODERATION_REASON_MAX_CHARS } from '#contract/limits.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { Banner } from './banner.tsx';
import { ConfirmButtons, Dialog } from './dialogs.tsx';
import { TextArea } from './field.tsx';
import { useForm } from './form.ts';

/** Asks for a reason, which the affected user reads word for word. */
export function ReasonDialog({
  title,
  text,
  label,
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
  label: string;
  hint: string;
  action: string;
  initial?: string;
  problem: string | null;
  isBusy: boolean;
  onSubmit: (reason: string) => void;
  onClose: () => void;
}) {
  const { form, field, submit } = useForm({ schema: moderationReasonSchema, initial: { reason: initial } });
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-muted">{text}</p>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit(({ reason }) => onSubmit(reason))}>
        {problem && <Banner tone="error">{problem}</Banner>}
        <TextArea label={label} hint={hint} maxLength={MODERATION_REASON_MAX_CHARS} {...field('reason')} />
        <ConfirmButtons label={action} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
