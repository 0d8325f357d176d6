import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { supportAddresses } from './support-addresses.ts';

export function PrivacyScreen() {
  return <LegalPage page="privacy" />;
}

export function TermsScreen() {
  return <LegalPage page="terms" />;
}

type Section = { title: string; text?: string; points?: string[] };

/** The privacy policy or the terms, in plain words. */
function LegalPage({ page }: { page: 'privacy' | 'terms' }) {
  const { t } = useTranslation(['legal', 'common']);
  const sections: Section[] = t(`${page}.sections`, { returnObjects: true });
  return (
    <article className="mx-auto grid max-w-2xl gap-8">
      <div className="grid gap-2">
        <h1>{t(`common:${page}`)}</h1>
        <p className="lead">{t(`${page}.lead`)}</p>
        <p className="text-muted text-sm">{t('changed')}</p>
      </div>
      {sections.map((section) => (
        <LegalSection key={section.title} {...section} />
      ))}
      {(supportAddresses.email || supportAddresses.post) && <Owner />}
    </article>
  );
}

function Owner() {
  const { t } = useTranslation('legal');
  const { email, post } = supportAddresses;
  return (
    <section className="grid gap-2">
      <h2>{t('contactTitle')}</h2>
      <p className="grid gap-1">
        {t('contactText')}
        {email && (
          <a className="link contact-link" href={`mailto:${email}`}>
            <Icon name="mail" />
            {email}
          </a>
        )}
      </p>
      {post && (
        <div className="grid gap-1">
          <h3 className="font-semibold">{t('addressTitle')}</h3>
          <address className="whitespace-pre-line not-italic">{post}</address>
        </div>
      )}
    </section>
  );
}

function LegalSection({ title, text, points = [] }: Section) {
  return (
    <section className="grid gap-2">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {points.length > 0 && (
        <ul className="grid list-disc gap-2 pl-5">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
