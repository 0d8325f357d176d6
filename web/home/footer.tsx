import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EMAIL_MAX_CHARS, FEEDBACK_MESSAGE_MAX_CHARS } from '#contract/limits.ts';
import { useNoticesHeld } from '#web/lib/notice-signals.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Icon, Logo } from '#web/ui/icon.tsx';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { supportAddresses } from './support-addresses.ts';

/** The page's footer: the feedback form and the contact links. */
export function Footer() {
  const { t } = useTranslation('home');
  const { email, socialProfile } = supportAddresses;
  return (
    <footer className="bg-sunken">
      <div className="kanga-border kanga-border-wide" />
      <div className="page-width grid gap-10 py-12 md:grid-cols-[1.2fr_1fr] md:gap-16">
        <section className="grid content-start gap-4">
          <div className="grid gap-1">
            <h2>{t('feedbackTitle')}</h2>
            <p className="text-muted">{t('feedbackText')}</p>
          </div>
          <FeedbackForm />
        </section>
        <section className="grid content-start gap-4">
          {(email || socialProfile) && <h2>{t('contactTitle')}</h2>}
          {email && (
            <p className="grid gap-1">
              {t('support')}
              <a className="link contact-link" href={`mailto:${email}`}>
                <Icon name="mail" />
                {email}
              </a>
            </p>
          )}
          {socialProfile && (
            <a className="link contact-link" href={socialProfile} target="_blank" rel="noopener noreferrer">
              <Icon name="users" />
              {t('social')}
            </a>
          )}
          <p className="flex gap-3 rounded-xl bg-notice-soft p-4 text-notice">
            <Icon name="shield" className="mt-0.5 size-5" />
            <span>{t('safety')}</span>
          </p>
          <LegalLinks />
          <p className="flex items-center gap-3 text-muted text-sm">
            <Logo className="size-7 shrink-0" />
            <span>{t('closing')}</span>
          </p>
        </section>
      </div>
    </footer>
  );
}

const EMPTY = { email: '', message: '' };
type Field = keyof typeof EMPTY;
/** `reference`: a sentence with the request id of an unexpected error; otherwise empty. */
type Outcome = 'none' | 'sending' | 'sent' | { reference: string };

/** The feedback form. The code that sends feedback loads with the first submit, because few visitors write. */
function FeedbackForm() {
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
    // Empties the form, unless the user has changed the text during the request.
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
      // The first press has already sent and cleared the form: a double click must not report an empty form.
      if (outcome === 'sending' || (outcome === 'sent' && isEmpty)) return;
      setErrors({});
      setOutcome('sending');
      send().catch((error: unknown) => {
        setOutcome({ reference: error instanceof Error && 'reference' in error ? String(error.reference) : '' });
      });
    },
  };
}
