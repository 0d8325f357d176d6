import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Claim, claimTextInputSchema } from '#contract/claims.ts';
import { CLAIM_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { useForm } from '#web/lib/use-form.ts';
import { useKeptValues } from '#web/lib/use-kept-values.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { problemOf } from './problem-of.ts';
import { useKeptText } from './use-kept-text.ts';
import { useStep } from './use-step.ts';

const WORDS = {
  ask: { label: 'question', hint: 'questionHint', send: 'sendQuestion' },
  reply: { label: 'reply', hint: 'replyHint', send: 'sendReply' },
} as const;

type Props = {
  name: keyof typeof WORDS;
  claim: Claim;
  onStep: () => void;
  /** Closes it again, for one that was opened. */
  onCancel?: () => void;
};

/** One question, or one reply to it. */
export function ThreadForm({ name, claim, onStep, onCancel }: Props) {
  const { t } = useTranslation('claims');
  const words = WORDS[name];
  const kept = useKeptText(`${name}:${claim.id}:${claim.messages.length}`, { text: '' });
  const { form, field, submit, typed } = useForm({ schema: claimTextInputSchema, initial: kept.initial });
  useKeptValues(typed, kept.keep);
  const step = useStep(claim, () => {
    kept.forget();
    onStep();
  });
  useEffect(() => {
    if (onCancel) form.current?.querySelector('textarea')?.focus();
  }, [form, onCancel]);

  function send(text: string) {
    if (step.isPending || step.isSuccess) return;
    step.mutate({ name, text });
  }

  return (
    <form ref={form} noValidate className="card grid gap-3" onSubmit={submit(({ text }) => send(text))}>
      <TextArea
        label={t(words.label)}
        hint={t(words.hint)}
        rows={3}
        maxLength={CLAIM_TEXT_MAX_CHARS}
        {...field('text')}
      />
      {step.error && <Banner tone="error">{problemOf(step.error, t)}</Banner>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={step.isPending || step.isSuccess}>
          {t(words.send)}
        </Button>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
