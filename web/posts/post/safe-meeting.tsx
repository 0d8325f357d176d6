import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

const ADVICE = ['safePlace', 'safeMoney', 'safeProof', 'safeCompany'] as const;

/** Safety advice for two strangers who meet to return an item. */
export function SafeMeeting() {
  const { t } = useTranslation('posts');
  return (
    <section className="card grid gap-3" aria-labelledby="safety">
      <h2 id="safety" className="flex items-center gap-2">
        <Icon name="shield" />
        {t('safeTitle')}
      </h2>
      <ul className="grid gap-3">
        {ADVICE.map((advice) => (
          <li key={advice} className="flex items-start gap-2.5">
            <Icon name="check" className="mt-0.5 size-5" />
            <span>{t(advice)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
