import { createPortal } from 'react-dom';
import type { Community } from '#contract/communities.ts';
import { paths } from '#web/lib/paths.ts';
import en from '#web/locales/en/poster.json';
import sw from '#web/locales/sw/poster.json';
import { Logo } from '#web/ui/logo.tsx';
import './qr-poster.css';

/** Whoever passes by reads one or the other, so the sheet says everything in both. */
const LANGUAGES = [
  { language: 'sw', texts: sw },
  { language: 'en', texts: en },
];

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
        {LANGUAGES.map(({ language, texts }) => (
          <section key={language} lang={language}>
            <h1>{texts.call}</h1>
            <p>{texts.join}</p>
            <ol>
              <li>{texts.scan}</li>
              <li>{texts.type.replace('{address}', () => host + paths.communities)}</li>
              <li>{texts.post}</li>
            </ol>
          </section>
        ))}
      </div>
    </div>,
    document.body,
  );
}
