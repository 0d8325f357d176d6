import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApprovedCommunity, joinRequestInputSchema } from '#contract/communities.ts';
import { JOIN_REQUEST_MAX_CHARS } from '#contract/limits.ts';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { askToJoin } from './api.ts';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

type Props = { community: ApprovedCommunity; onAsked: () => void; onClose: () => void };

/** A sentence to the admins of a community, who then let the writer in or not. */
export function AskToJoinDialog({ community: { id, name }, onAsked, onClose }: Props) {
  const { t } = useTranslation('community');
  // However often it is sent, it is one request.
  const [key, setKey] = useState(newIdempotencyKey);
  const { form, field, set, submit } = useForm({ schema: joinRequestInputSchema, initial: { message: '' } });
  const asking = useStep({
    take: ({ message }: { message: string }) => askToJoin(id, message, key),
    doneText: t('askSent', { name }),
    // Back may have closed it meanwhile.
    onDone: () => form.current && onAsked(),
  });
  const { onChange: _kept, ...message } = field('message');
  return (
    <Dialog title={t('askTitle', { name })} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit((typed) => !asking.isPending && asking.mutate(typed))}
      >
        {asking.error && <Banner tone="error">{problemOf(asking.error, t)}</Banner>}
        <TextArea
          label={t('askMessage')}
          hint={t('askHint')}
          isOptional
          rows={3}
          maxLength={JOIN_REQUEST_MAX_CHARS}
          {...message}
          onChange={(event) => {
            set('message', event.target.value);
            // Another text is another request.
            setKey(newIdempotencyKey());
          }}
        />
        <ConfirmButtons
          label={t('askSend')}
          look="primary"
          isBusy={asking.isPending || asking.isSuccess}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
