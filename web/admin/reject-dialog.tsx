import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AdminCommunity, rejectionSchema } from '#contract/communities.ts';
import { REJECTION_REASON_MAX_CHARS } from '#contract/limits.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { rejectCommunity } from './api.ts';
import { useDecision } from './use-decision.ts';

type Props = { community: AdminCommunity; onRejected: () => void; onClose: () => void };

/** Asks for the reason, which the creator reads as it is written. */
export function RejectDialog({ community, onRejected, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { form, field, submit } = useForm({ schema: rejectionSchema, initial: { reason: '' } });
  const [problem, setProblem] = useState<string | null>(null);
  const rejection = useDecision({
    decide: rejectCommunity,
    doneText: t('rejectedToast', { name: community.name }),
    onDone: onRejected,
    onFailure: setProblem,
  });
  return (
    <Dialog title={t('rejectTitle', { name: community.name })} onClose={onClose}>
      <p className="text-muted">{t('rejectText')}</p>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(({ reason }) => {
          setProblem(null);
          rejection.mutate({ id: community.id, reason });
        })}
      >
        {problem && <Banner tone="error">{problem}</Banner>}
        <TextArea
          label={t('reason')}
          hint={t('reasonHint')}
          maxLength={REJECTION_REASON_MAX_CHARS}
          {...field('reason')}
        />
        <div className="grid grid-cols-2 gap-2">
          <Button look="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" look="danger" isBusy={rejection.isPending}>
            {t('reject')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
