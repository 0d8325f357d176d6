import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EMAIL_MAX_CHARS, FEEDBACK_MESSAGE_MAX_CHARS } from '#contract/limits.ts';
import { ApiError, withReference } from '#web/lib/api-client.ts';
import { useNoticesHeld } from '#web/lib/held-notices.ts';
import { loadScreenTexts } from '#web/lib/i18n.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { sendFeedback } from './api.ts';

const EMPTY = { email: '', message: '' };
type Field = keyof typeof EMPTY;
type Outcome = 'none' | 'sending' | 'sent' | { failure: unknown };

/** The footer's form. Its rules are loaded with the first submit: most visitors never write, and need not pay for them. */
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
        <Banner tone="error">{withReference(t('feedbackFailed'), outcome.failure)}</Banner>
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
  const { t } = useTranslation('fields');
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
    const [{ findFeedbackProblems }] = await Promise.all([import('./check-feedback.ts'), loadScreenTexts()]);
    const { email, message } = findFeedbackProblems(values);
    if (email || message) {
      return showErrors({
        ...(email && { email: t(email.key, { max: email.max }) }),
        ...(message && { message: t(message.key, { max: message.max }) }),
      });
    }
    await sendFeedback(values);
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
        const named = error instanceof ApiError ? error.errors : [];
        if (named.length > 0) showErrors(Object.fromEntries(named.map(({ field, message }) => [field, message])));
        else setOutcome({ failure: error });
      });
    },
  };
}
