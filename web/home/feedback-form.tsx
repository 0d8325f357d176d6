import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EMAIL_MAX_CHARS, FEEDBACK_MESSAGE_MAX_CHARS } from '#contract/limits.ts';
import { useNoticesHeld } from '#web/lib/held-notices.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';

const EMPTY = { email: '', message: '' };
type Field = keyof typeof EMPTY;
/** `reference` is what to quote of a failure that nobody expected, or empty. */
type Outcome = 'none' | 'sending' | 'sent' | { reference: string };

/** The footer's form. What checks and sends it is loaded with the first submit: most visitors never write. */
export function FeedbackForm() {
  const { t } = useTranslation('home');
  const { form, values, errors, outcome, set, submit } = useFeedback();
  return (
    <form ref={form} noValidate className="grid gap-4" onSubmit={submit}>
      <TextField
        label={t('email')}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={EMAIL_MAX_CHARS}
        value={values.email}
        error={errors.email}
        onChange={(event) => set('email', event.target.value)}
      />
      <TextArea
        label={t('message')}
        name="message"
        maxLength={FEEDBACK_MESSAGE_MAX_CHARS}
        value={values.message}
        error={errors.message}
        onChange={(event) => set('message', event.target.value)}
      />
      <Banner tone="success">{outcome === 'sent' && t('feedbackThanks')}</Banner>
      {typeof outcome === 'object' && (
        <Banner tone="error">{`${t('feedbackFailed')} ${outcome.reference}`.trim()}</Banner>
      )}
      <Button
        type="submit"
        isBusy={outcome === 'sending'}
        busyLabel={t('sendingFeedback')}
        className="justify-self-start"
      >
        {t('sendFeedback')}
      </Button>
    </form>
  );
}

function useFeedback() {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<typeof EMPTY>>({});
  const [outcome, setOutcome] = useState<Outcome>('none');
  const isEmpty = values.email === '' && values.message === '';
  useNoticesHeld('form', !isEmpty);

  function showErrors(found: Partial<typeof EMPTY>): void {
    setErrors(found);
    setOutcome('none');
    const first = found.email ? 'email' : 'message';
    (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
  }

  async function send(): Promise<void> {
    const { sendFeedback } = await import('./send-feedback.ts');
    const problems = await sendFeedback(values);
    if (problems) return showErrors(problems);
    // Unless more was written meanwhile.
    setValues((now) => (now === values ? EMPTY : now));
    setOutcome('sent');
  }

  return {
    form,
    values,
    errors,
    outcome,
    set(field: Field, value: string) {
      setValues((before) => ({ ...before, [field]: value }));
      setErrors(({ [field]: _gone, ...rest }) => rest);
    },
    submit(event: FormEvent) {
      event.preventDefault();
      // A second press finds the form that the first has sent and emptied.
      if (outcome === 'sending' || (outcome === 'sent' && isEmpty)) return;
      setErrors({});
      setOutcome('sending');
      send().catch((error: unknown) => {
        setOutcome({ reference: error instanceof Error && 'reference' in error ? String(error.reference) : '' });
      });
    },
  };
}
