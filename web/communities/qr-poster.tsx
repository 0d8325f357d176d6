import type { Community } from '#contract/communities.ts';
import type english from '#locales/en/outside/poster.json';
import { byLanguage } from '#web/lib/by-language.ts';
import { paths } from '#web/lib/paths.ts';
import { POSTER_LANGUAGES, PosterHeader, PrintSheet } from '#web/ui/print-sheet.tsx';

const texts = byLanguage(
  import.meta.glob<typeof english>('#locales/*/outside/poster.json', { eager: true, import: 'default' }),
);

/** The sheet that is printed in the place of the page: what this is, where, how to get in, and what to do then. */
export function QrPoster({ image, community: { name, access_code } }: { image: string; community: Community }) {
  const { host } = window.location;
  return (
    <PrintSheet className="poster qr-poster">
      <PosterHeader />
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
            <h3>{texts[language].call}</h3>
            <p>{texts[language].join}</p>
            <ol>
              <li>{texts[language].scan}</li>
              <li>{texts[language].type.replace('{address}', () => host + paths.communities)}</li>
              <li>{texts[language].post}</li>
            </ol>
          </section>
        ))}
      </div>
    </PrintSheet>
  );
}
