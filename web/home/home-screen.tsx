import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Carousel } from './carousel.tsx';
import { Footer } from './footer.tsx';
// The picture is inline, because it is the largest element of the first view: a separate file would need another round
// trip.
import kanga from './kanga.svg?inline';

/** / : the home page (docs/product.md S3). */
export function HomeScreen() {
  const { t } = useTranslation('home');
  return (
    <>
      <Hero />
      <HowItWorks />
      <section className="page-width grid gap-6 py-12">
        <h2 className="section-title">{t('testimonials')}</h2>
        <Carousel />
      </section>
      <Footer />
    </>
  );
}

/** The first thing that a visitor reads, with its two buttons. */
function Hero() {
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

/** The steps for finders and for owners, side by side: found is green, lost is amber, and both are labelled. */
function HowItWorks() {
  const { t } = useTranslation('home');
  return (
    <section className="bg-sunken py-12">
      <div className="page-width grid gap-6">
        <h2 className="section-title">{t('howItWorks')}</h2>
        <div className="grid gap-5 md:grid-cols-2">
          <Way
            tone="found"
            icon="check"
            title={t('foundTitle')}
            steps={[t('found1'), t('found2'), t('found3')]}
            action={t('foundAction')}
            to={paths.createPost}
            state={{ posted_by: 'finder' }}
          />
          <Way
            tone="lost"
            icon="search"
            title={t('lostTitle')}
            steps={[t('lost1'), t('lost2'), t('lost3')]}
            action={t('lostAction')}
            to={paths.viewPosts}
          />
        </div>
      </div>
    </section>
  );
}

const TONES = {
  found: { edge: 'border-t-found', mark: 'bg-found-soft text-found' },
  lost: { edge: 'border-t-lost', mark: 'bg-lost-soft text-lost' },
};

type WayProps = {
  tone: keyof typeof TONES;
  icon: IconName;
  title: string;
  steps: string[];
  action: string;
  to: string;
  state?: object;
};

function Way({ tone, icon, title, steps, action, to, state }: WayProps) {
  const { edge, mark } = TONES[tone];
  return (
    <article className={`card grid content-start gap-4 border-t-4 ${edge}`}>
      <div className="flex items-center gap-3">
        <span className={`grid size-12 shrink-0 place-items-center rounded-full ${mark}`}>
          <Icon name={icon} className="size-6" />
        </span>
        <h3 className="font-bold text-lg/6">{title}</h3>
      </div>
      <ol className="grid gap-3">
        {steps.map((step, position) => (
          <li key={step} className="flex gap-3">
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full font-bold text-sm ${mark}`}
              aria-hidden="true"
            >
              {position + 1}
            </span>
            <span className="wrap-anywhere pt-0.5">{step}</span>
          </li>
        ))}
      </ol>
      <ButtonLink to={to} state={state} look="secondary" className="mt-auto justify-self-start">
        {action}
      </ButtonLink>
    </article>
  );
}
