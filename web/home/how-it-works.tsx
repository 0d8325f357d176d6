import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

/** The finder's way and the owner's way, side by side: found is green, lost is amber, and each says so in words. */
export function HowItWorks() {
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
