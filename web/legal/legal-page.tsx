import { useTranslation } from 'react-i18next';
import { byLanguage } from '#web/lib/by-language.ts';
import { currentLanguage } from '#web/lib/i18n.ts';
import { supportAddresses } from '#web/lib/support-addresses.ts';
import { Icon } from '#web/ui/icon.tsx';

type Section = { title: string; text?: string; points?: string[] };
type Texts = Record<'changed' | 'contactTitle' | 'contactText' | 'addressTitle', string> &
  Record<'privacy' | 'terms', { lead: string; sections: Section[] }>;

/** Beside the screens and not in the languages' own chunks: few read them. */
const texts = byLanguage(import.meta.glob<Texts>('#web/locales/*/legal.json', { eager: true, import: 'default' }));

/** A page that says in plain words what everyone agrees to. */
export function LegalPage({ page }: { page: 'privacy' | 'terms' }) {
  const { t } = useTranslation('common');
  const words = texts[currentLanguage()];
  const { lead, sections } = words[page];
  return (
    <article className="mx-auto grid max-w-2xl gap-8">
      <div className="grid gap-2">
        <h1>{t(page)}</h1>
        <p className="lead">{lead}</p>
        <p className="text-muted text-sm">{words.changed}</p>
      </div>
      {sections.map((section) => (
        <LegalSection key={section.title} {...section} />
      ))}
      {(supportAddresses.email || supportAddresses.post) && <Owner words={words} />}
    </article>
  );
}

function Owner({ words: { contactTitle, contactText, addressTitle } }: { words: Texts }) {
  const { email, post } = supportAddresses;
  return (
    <section className="grid gap-2">
      <h2>{contactTitle}</h2>
      <p className="grid gap-1">
        {contactText}
        {email && (
          <a className="link contact-link" href={`mailto:${email}`}>
            <Icon name="mail" />
            {email}
          </a>
        )}
      </p>
      {post && (
        <div className="grid gap-1">
          <h3 className="font-semibold">{addressTitle}</h3>
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
