import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
// In the page itself: it is the largest thing that a visitor sees first, and would come a round trip later.
import kanga from './kanga.svg?inline';

/** The first thing a visitor reads, and the two ways on from it. */
export function Hero() {
  const { t } = useTranslation('home');
  return (
    <section className="page-width grid items-center gap-8 py-8 md:grid-cols-[1.15fr_1fr] md:gap-12 md:py-16">
      <div className="grid justify-items-start gap-5">
        <p className="text-balance font-bold text-accent text-sm uppercase tracking-widest">{t('place')}</p>
        <h1 className="hero-headline">{t('headline')}</h1>
        <p className="max-w-prose text-lg text-muted">{t('tagline')}</p>
        <div className="flex w-full flex-wrap gap-3">
          <ButtonLink to={paths.createPost} icon="plus" className="hero-action">
            {t('reportItem')}
          </ButtonLink>
          <ButtonLink to={paths.viewPosts} look="secondary" icon="search" className="hero-action">
            {t('searchLostItems')}
          </ButtonLink>
        </div>
        <p className="text-muted text-sm">{t('promise')}</p>
      </div>
      <figure className="grid gap-2">
        <img src={kanga} width="720" height="480" alt={t('kangaAlt')} decoding="sync" className="kanga" />
        <figcaption className="text-center text-muted text-sm italic">{t('kangaMeaning')}</figcaption>
      </figure>
    </section>
  );
}
