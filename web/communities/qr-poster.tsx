import { createPortal } from 'react-dom';
import type { Community } from '#contract/communities.ts';
import { FALLBACK_LANGUAGE, LANGUAGES } from '#contract/language.ts';
import type english from '#locales/en/outside/poster.json';
import { byLanguage } from '#web/lib/by-language.ts';
import { paths } from '#web/lib/paths.ts';
import { Logo } from '#web/ui/logo.tsx';
import './qr-poster.css';

const texts = byLanguage(
  import.meta.glob<typeof english>('#locales/*/outside/poster.json', { eager: true, import: 'default' }),
);
/** Whoever passes by reads one or the other, so the sheet says everything in each; English last, which fewer read. */
const POSTER_LANGUAGES = [...LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE), FALLBACK_LANGUAGE];

/** The sheet that is printed in the place of the page: what this is, where, how to get in, and what to do then. */
export function QrPoster({ image, community: { name, access_code } }: { image: string; community: Community }) {
  const { host } = window.location;
  return createPortal(
    <div className="qr-poster" aria-hidden="true">
      <header>
        <Logo />
        <strong>Patikana</strong>
        <span>{host}</span>
      </header>
      <p className="qr-poster-name" dir="auto">
        {name}
      </p>
      <img src={image} alt="" />
      <p className="qr-poster-code" dir="ltr">
        {access_code}
      </p>
      <div className="qr-poster-texts">
        {POSTER_LANGUAGES.map((language) => (
          <section key={language} lang={language}>
            <h1>{texts[language].call}</h1>
            <p>{texts[language].join}</p>
            <ol>
              <li>{texts[language].scan}</li>
              <li>{texts[language].type.replace('{address}', () => host + paths.communities)}</li>
              <li>{texts[language].post}</li>
            </ol>
          </section>
        ))}
      </div>
    </div>,
    document.body,
  );
}
