import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPerson } from '#contract/admin.ts';
import { MODERATION_REASON_MAX_CHARS } from '#contract/limits.ts';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { suspendPerson } from './api.ts';
import { useStandingDecision } from './use-standing-decision.ts';

/** Asks for the reason, which the person reads as it is written. */
export function SuspendDialog({ person, onClose }: { person: AdminPerson; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { form, field, submit } = useForm({ schema: moderationReasonSchema, initial: { reason: '' } });
  const [problem, setProblem] = useState<string | null>(null);
  const suspending = useStandingDecision({
    decide: suspendPerson,
    doneText: t('suspendedToast', { name: person.username }),
    onDone: onClose,
    onFailure: setProblem,
  });
  return (
    <Dialog title={t('suspendTitle', { name: person.username })} onClose={onClose}>
      <p className="text-muted">{t('suspendText')}</p>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(({ reason }) => {
          setProblem(null);
          suspending.mutate({ id: person.id, reason });
        })}
      >
        {problem && <Banner tone="error">{problem}</Banner>}
        <TextArea
          label={t('reason')}
          hint={t('suspendHint')}
          maxLength={MODERATION_REASON_MAX_CHARS}
          {...field('reason')}
        />
        <div className="grid grid-cols-2 gap-2">
          <Button look="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" look="danger" isBusy={suspending.isPending}>
            {t('suspend')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
