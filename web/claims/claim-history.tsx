import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';

/** Every step with its time, as both can read it. */
export function ClaimHistory({ claim: { role, history } }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  return (
    <section className="card grid gap-2" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <ol className="grid gap-1.5 border-line border-l-2 pl-4">
        {history.map(({ step, created_at }, index) => (
          // Steps are only ever added at the end.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} className="flex flex-wrap justify-between gap-x-4">
            <span>{t(`steps.${role}.${step}`)}</span>
            <time className="text-muted text-sm" dateTime={created_at}>
              {formatDateTime(created_at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
