import { MODERATION_REASON_MAX_CHARS } from '#contract/limits.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { FormDialog, type FormDialogProps } from './dialogs.tsx';
import { TextArea } from './field.tsx';
import { useForm } from './form.ts';

type Props = Pick<FormDialogProps, 'title' | 'saving' | 'failed' | 'noAnswer' | 'onClose'> & {
  text: string;
  label: string;
  hint: string;
  action: string;
  initial?: string;
  onSubmit: (reason: string) => void;
};

/**
 * Asks for a reason, which the affected user reads word for word. This dialog has its own file, because it loads the
 * validation schemas and the sentences about invalid fields. Most screens with other dialogs need neither.
 */
export function ReasonDialog({ text, label, hint, action, initial = '', onSubmit, ...dialog }: Props) {
  const { form, field, submit } = useForm({ schema: moderationReasonSchema, initial: { reason: initial } });
  return (
    <FormDialog
      {...dialog}
      form={form}
      onSubmit={submit(({ reason }) => onSubmit(reason))}
      submitLabel={action}
      look="danger"
      canCancel
    >
      <p className="text-muted">{text}</p>
      <TextArea label={label} hint={hint} maxLength={MODERATION_REASON_MAX_CHARS} {...field('reason')} />
    </FormDialog>
  );
}
