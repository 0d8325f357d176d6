import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Claim, claimTextInputSchema } from '#contract/claims.ts';
import { CLAIM_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { useForm, useKeptValues } from '#web/ui/form.ts';
import { useStep } from './api.ts';
import { useKeptText } from './kept-text.ts';

const WORDS = {
  ask: { label: 'question', hint: 'questionHint', send: 'sendQuestion' },
  reply: { label: 'reply', hint: 'replyHint', send: 'sendReply' },
} as const;

type Props = {
  name: keyof typeof WORDS;
  claim: Claim;
  onStep: () => void;
  /** Closes the form. Set only if a button has opened the form. */
  onCancel?: () => void;
};

/** The form for one question, or for the reply to a question. */
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
      {step.error && <Banner tone="error">{failureText(step.error, t('stepFailed'), t('noAnswer'))}</Banner>}
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

/** One sentence on the claim's state. Its id `standing` labels the section around it (claim-screen.tsx). */
export function StandingNote({ text }: { text: string }) {
  return (
    <p id="standing" className="rounded-xl bg-accent-soft px-4 py-3 font-semibold text-accent">
      {text}
    </p>
  );
}
