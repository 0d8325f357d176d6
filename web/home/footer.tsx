import { useTranslation } from 'react-i18next';
import { supportAddresses } from '#web/lib/support-addresses.ts';
import { Icon } from '#web/ui/icon.tsx';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { FeedbackForm } from './feedback-form.tsx';

/** The foot of the page: what people think of it, and how to reach those behind it. */
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
