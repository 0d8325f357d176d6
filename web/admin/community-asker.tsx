import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { formatDate } from '#web/lib/format.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Person } from './known-people.tsx';

/** Who asks, what is known of them, whom to call, and what they were refused before. */
export function CommunityAsker({ community }: { community: AdminCommunity }) {
  const { t } = useTranslation('admin');
  const { asker, asker_whatsapp_number: number, earlier_rejections: rejections } = community;
  return (
    <div className="grid gap-3 text-sm">
      <Person role={t('community.asker')} person={asker} />
      {number === null ? (
        <p className="text-muted">{t('community.noNumber')}</p>
      ) : (
        <LinkButton look="secondary" icon="phone" className="justify-self-start" href={`tel:${number}`}>
          {t('community.call', { number })}
        </LinkButton>
      )}
      {rejections.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">{t('community.rejectedBefore')}</h3>
          <ul className="grid gap-2">
            {rejections.map(({ name, reason, rejected_at }) => (
              <li key={rejected_at} className="border-line border-l-2 pl-3">
                <p className="wrap-anywhere text-muted">
                  {t('community.rejection', { name, date: formatDate(rejected_at) })}
                </p>
                <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {reason}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
